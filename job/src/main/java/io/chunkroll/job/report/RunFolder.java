package io.chunkroll.job.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One run, read from its folder.
 *
 * @param folder where it lies
 * @param summary run.json
 * @param chunkRolls when chunks were made, the first one's making included
 * @param timeline timeline.csv
 */
public record RunFolder(Path folder, RunSummary summary, List<ChunkRoll> chunkRolls, Timeline timeline) {
    /** The version of run.json this program writes, and the newest one it reads. */
    public static final int FORMAT_VERSION = 1;

    /** The name of the file with everything but the timeline. */
    public static final String SUMMARY_FILE = "run.json";

    private static final ObjectMapper JSON = new ObjectMapper();

    public RunFolder {
        chunkRolls = List.copyOf(chunkRolls);
    }

    /**
     * Reads a run folder.
     *
     * @throws ReportException when it is none, is damaged, or was written by a newer version
     */
    public static RunFolder read(Path folder) {
        requireFiles(folder);
        Path file = folder.resolve(SUMMARY_FILE);
        JsonNode json = json(file);
        requireKnownVersion(file, json);
        String folderName = folder.toAbsolutePath().normalize().getFileName().toString();
        return new RunFolder(folder, new RunSummary(folderName, json), rolls(file, json), Timeline.read(folder));
    }

    /**
     * One that goes on, of what is known of it already.
     *
     * @param summary what run.json holds so far
     */
    public static RunFolder soFar(Path folder, JsonNode summary, List<ChunkRoll> rolls, List<TimelinePoint> points) {
        String folderName = folder.toAbsolutePath().normalize().getFileName().toString();
        return new RunFolder(folder, new RunSummary(folderName, summary), rolls, new Timeline(points));
    }

    /** The same run under another name. */
    RunFolder named(String name) {
        return new RunFolder(folder, summary.named(name), chunkRolls, timeline);
    }

    /** The sawtooth, or its absence, in this run. */
    public Sawtooth sawtooth() {
        return Sawtooth.of(timeline, chunkRolls);
    }

    private static void requireFiles(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new ReportException(folder + " is not a folder; give folders that hold " + SUMMARY_FILE + " and "
                    + Timeline.FILE + ", such as runs/<time>-<name>");
        }
        List<String> missing = Stream.of(SUMMARY_FILE, Timeline.FILE)
                .filter(name -> !Files.isRegularFile(folder.resolve(name)))
                .toList();
        if (!missing.isEmpty()) {
            throw new ReportException(
                    folder + " is not the folder of a finished run: it has no " + String.join(" and no ", missing));
        }
    }

    private static JsonNode json(Path file) {
        try {
            JsonNode json = JSON.readTree(file.toFile());
            if (!json.isObject()) {
                throw new ReportException(file + " does not hold a JSON object");
            }
            return json;
        } catch (IOException e) {
            throw new ReportException("Cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static void requireKnownVersion(Path file, JsonNode json) {
        JsonNode version = json.path("format_version");
        if (!version.isIntegralNumber()) {
            throw new ReportException(file + " has no format_version; it was not written by chunkroll");
        }
        if (version.asLong() > FORMAT_VERSION) {
            throw new ReportException(file + " has format version " + version + ", and this chunkroll reads up to "
                    + FORMAT_VERSION + "; use a newer chunkroll");
        }
    }

    private static List<ChunkRoll> rolls(Path file, JsonNode json) {
        List<ChunkRoll> rolls = new ArrayList<>();
        for (JsonNode roll : json.path("chunk_rolls")) {
            rolls.add(roll(file, roll));
        }
        return rolls;
    }

    private static ChunkRoll roll(Path file, JsonNode roll) {
        if (!roll.path("elapsed_s").isNumber()) {
            throw new ReportException(file + " has a chunk roll without elapsed_s: " + roll);
        }
        try {
            return new ChunkRoll(
                    Instant.parse(roll.path("time").asText()),
                    roll.path("elapsed_s").asDouble(),
                    roll.path("chunk").asText(""),
                    roll.path("range_start").asText(""),
                    roll.path("range_end").asText(""));
        } catch (DateTimeException e) {
            throw new ReportException(file + " has a chunk roll whose time is no ISO instant: " + roll, e);
        }
    }
}
