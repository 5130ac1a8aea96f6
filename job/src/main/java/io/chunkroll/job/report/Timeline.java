package io.chunkroll.job.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a run did, period by period. Written by {@link TimelineWriter}.
 *
 * @param points in the order of time
 */
public record Timeline(List<TimelinePoint> points) {
    /** The file's name in a run folder. */
    public static final String FILE = "timeline.csv";

    public Timeline {
        points = List.copyOf(points);
    }

    /**
     * Reads timeline.csv of a run folder. A last line without its line end was cut off when the run was killed; it is left out.
     *
     * @throws ReportException naming file and line, when the file is missing or holds something else
     */
    public static Timeline read(Path runFolder) {
        Path file = runFolder.resolve(FILE);
        return parse(file, text(file));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new ReportException("Cannot read " + file + ": " + e, e);
        }
    }

    private static Timeline parse(Path file, String text) {
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        List<String> lines = whole.lines().toList();
        if (lines.isEmpty()) {
            throw new ReportException(file + " has no header; expected " + header());
        }
        TimelineParser parser = TimelineParser.of(file, lines.get(0));
        List<TimelinePoint> points = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                points.add(parser.parse(lines.get(i), i + 1));
            }
        }
        return new Timeline(points);
    }

    /** The points of the load itself. */
    List<TimelinePoint> load() {
        return points.stream().filter(TimelinePoint::isLoad).toList();
    }

    static String header() {
        return Arrays.stream(TimelineColumn.values())
                .map(TimelineColumn::header)
                .collect(Collectors.joining(","));
    }
}
