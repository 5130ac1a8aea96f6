package io.chunkroll.job.report;

import io.chunkroll.job.report.Comparison.Group;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/** The comparison as a table for an issue or an article. */
final class MarkdownReport {
    private static final double MICROS = 1e6;

    private MarkdownReport() {}

    static String of(List<RunFolder> folders, Published published) {
        Comparison comparison = Comparison.of(MeasuredRun.of(folders));
        StringBuilder text = new StringBuilder("**" + cell(ClosingWords.headline(folders)) + "**\n\n");
        row(
                text,
                List.of(
                        "run",
                        "rows/s, median",
                        "of the fastest",
                        "spread",
                        "server CPU, µs a row",
                        "WAL a row",
                        "flush p99",
                        "rolls",
                        "drop",
                        "recovery",
                        ""));
        text.append("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|\n");
        comparison.ranked().forEach(group -> row(text, cells(comparison, group)));
        text.append('\n').append(DifferenceTable.of(comparison).markdown()).append(published.markdown());
        ClosingWords.paragraphs(folders)
                .forEach(words -> text.append(cell(words)).append("\n\n"));
        return text.toString();
    }

    private static List<String> cells(Comparison comparison, Group group) {
        List<String> cells = new ArrayList<>();
        cells.add(group.name());
        cells.add(FigureTable.words(group.median(), Figures::bareRate));
        cells.add(FigureTable.words(comparison.ratio(group), value -> "× " + Figures.times(value)));
        cells.add(ComparisonTable.spread(group));
        cells.add(perRow(group, "server_cpu_seconds", seconds -> Figures.times(seconds * MICROS)));
        cells.add(perRow(group, "wal_bytes", bytes -> Figures.bytes(Math.rint(bytes))));
        cells.add(median(group, run -> run.summary().decimal("flush_ms.p99"), Figures::millis));
        cells.add(
                median(group, run -> OptionalDouble.of(run.sawtooth().rolls()), value -> Long.toString((long) value)));
        cells.add(median(group, run -> run.sawtooth().medianDrop(), Figures::percent));
        cells.add(median(group, run -> run.sawtooth().medianRecovery(), value -> "× " + Figures.times(value)));
        cells.add(comparison.verdict(group).words());
        return cells;
    }

    private static String perRow(Group group, String field, DoubleFunction<String> words) {
        return median(
                group,
                run -> run.summary().decimal(field).isPresent() && run.rows() > 0
                        ? OptionalDouble.of(run.summary().decimal(field).getAsDouble() / run.rows())
                        : OptionalDouble.empty(),
                words);
    }

    private static String median(
            Group group,
            java.util.function.Function<MeasuredRun, OptionalDouble> figure,
            DoubleFunction<String> words) {
        double[] values = group.runs().stream()
                .map(figure)
                .flatMapToDouble(OptionalDouble::stream)
                .toArray();
        return FigureTable.words(Statistics.median(values), words);
    }

    /** Names stay text: neither HTML nor the end of a cell. */
    static String cell(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replaceAll("([\\\\|`*_\\[\\]])", "\\\\$1")
                .replaceAll("[\\r\\n]+", " ");
    }

    /** A row of a table, its cells' texts as they are. */
    static void row(StringBuilder text, List<String> cells) {
        text.append("| ")
                .append(cells.stream().map(MarkdownReport::cell).collect(Collectors.joining(" | ")))
                .append(" |\n");
    }
}
