package io.chunkroll.job.report;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** The chunks of each run that has some. */
final class ChunkTable {
    private static final String UNKNOWN = "–";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private ChunkTable() {}

    /** Nothing for runs without chunks. */
    static String of(List<MeasuredRun> runs) {
        StringBuilder html = new StringBuilder();
        for (MeasuredRun run : runs) {
            if (!run.sawtooth().chunks().isEmpty()) {
                html.append("<h3>").append(Html.escape(run.label())).append("</h3>\n");
                html.append(table(run));
            }
        }
        return html.toString();
    }

    private static String table(MeasuredRun run) {
        List<Html.Row> rows = new ArrayList<>();
        int number = 1;
        for (ChunkRates chunk : run.sawtooth().chunks()) {
            rows.add(new Html.Row(chunk.full() ? "" : "partial", cells(number, chunk)));
            number++;
        }
        rows.add(medians(run.sawtooth()));
        return Html.table(
                List.of(
                        capital(run.chunkWord()),
                        "Drop",
                        "Recovery",
                        "Start, rows/s",
                        "End, rows/s",
                        "Stall",
                        "Slope",
                        "Rows",
                        "Time",
                        "From",
                        "To",
                        "Name"),
                rows);
    }

    private static List<String> cells(int number, ChunkRates chunk) {
        return List.of(
                number + (chunk.full() ? "" : " (partial)"),
                percent(chunk.drop()),
                times(chunk.recovery()),
                rate(chunk.rateAtStart()),
                rate(chunk.rateAtEnd()),
                stall(chunk.stallSeconds()),
                slope(chunk.fit()),
                Figures.count(chunk.rows()),
                Figures.seconds(chunk.toSeconds() - chunk.fromSeconds()),
                time(chunk.rangeStart()),
                time(chunk.rangeEnd()),
                chunk.chunk().isEmpty() ? "there before" : chunk.chunk());
    }

    private static Html.Row medians(Sawtooth sawtooth) {
        String none = "";
        return new Html.Row(
                "main",
                List.of(
                        "Median",
                        percent(sawtooth.medianDrop()),
                        times(sawtooth.medianRecovery()),
                        rate(sawtooth.medianStart()),
                        rate(sawtooth.medianEnd()),
                        none,
                        slope(sawtooth.chunkFit()),
                        rows(sawtooth.periodRows()),
                        none,
                        none,
                        none,
                        none));
    }

    private static String capital(String word) {
        return Character.toUpperCase(word.charAt(0)) + word.substring(1);
    }

    static String time(String text) {
        if (text.isEmpty()) {
            return UNKNOWN;
        }
        try {
            return TIME.format(Instant.parse(text));
        } catch (DateTimeException e) {
            return text;
        }
    }

    private static String rate(OptionalDouble value) {
        return value.isPresent() ? Figures.bareRate(value.getAsDouble()) : UNKNOWN;
    }

    private static String stall(OptionalDouble seconds) {
        return seconds.isPresent() ? Figures.seconds(seconds.getAsDouble()) : UNKNOWN;
    }

    /** Rows a second, for each million rows. */
    private static String slope(Optional<RateFit> fit) {
        return fit.map(line -> Figures.signedRate(line.perMillion())).orElse(UNKNOWN);
    }

    private static String rows(OptionalDouble value) {
        return value.isPresent() ? Figures.count(Math.round(value.getAsDouble())) : UNKNOWN;
    }

    private static String percent(OptionalDouble value) {
        return value.isPresent() ? Figures.percent(value.getAsDouble()) : UNKNOWN;
    }

    private static String times(OptionalDouble value) {
        return value.isPresent() ? "× " + Figures.times(value.getAsDouble()) : UNKNOWN;
    }
}
