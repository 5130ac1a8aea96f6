package io.chunkroll.job.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** The figures of all runs: a run a column, a figure a row, so that they compare side by side on a narrow screen as well. */
final class SummaryTable {
    private static final String UNKNOWN = "–";
    private static final double MICROS = 1e6;

    private final List<MeasuredRun> runs;
    private final List<Html.Row> rows = new ArrayList<>();

    private SummaryTable(List<MeasuredRun> runs) {
        this.runs = runs;
    }

    static String of(List<MeasuredRun> runs) {
        SummaryTable table = new SummaryTable(runs);
        table.load();
        table.server();
        List<String> head = Stream.concat(Stream.of("Run"), runs.stream().map(MeasuredRun::label))
                .toList();
        return Html.table(head, table.rows);
    }

    private void load() {
        row("Table", run -> run.hasTable() ? run.summary().setting("sink.table").orElse(UNKNOWN) : "none");
        row("Layout", run -> run.hasTable() ? run.layout() : "none");
        row("Sink", run -> run.summary().setting("sink.kind").orElse(UNKNOWN));
        row("Rows written", run -> Figures.count(run.rows()));
        if (runs.stream().anyMatch(run -> run.summary().whole("rows_inserted").isPresent())) {
            row("Rows inserted", run -> whole(run.summary().whole("rows_inserted")));
            row("Rows skipped", run -> whole(run.summary().whole("rows_skipped")));
            row("Rows replaced", run -> whole(run.summary().whole("rows_replaced")));
        }
        row("Time", run -> figure(run.summary().decimal("seconds"), Figures::seconds));
        if (runs.stream().anyMatch(run -> run.summary().decimal("index_seconds").isPresent())) {
            row("Indexes built in", run -> figure(run.summary().decimal("index_seconds"), Figures::seconds));
            row("Until indexes are ready", run -> figure(run.summary().decimal("ready_seconds"), Figures::seconds));
        }
        rows.add(new Html.Row("main", cells("Mean rate, rows/s", run -> figure(run.meanRate(), Figures::bareRate))));
        row("Flush, p50", run -> figure(run.summary().decimal("flush_ms.p50"), Figures::millis));
        row("Flush, p99", run -> figure(run.summary().decimal("flush_ms.p99"), Figures::millis));
    }

    private void server() {
        row("Chunks", run -> whole(run.summary().whole("chunks")));
        row("WAL written", run -> figure(run.summary().decimal("wal_bytes"), Figures::bytes));
        row("Table size", run -> figure(run.summary().decimal("table_bytes"), Figures::bytes));
        row("Index size", run -> figure(run.summary().decimal("index_bytes"), Figures::bytes));
        row("Server CPU", run -> figure(run.summary().decimal("server_cpu_seconds"), Figures::seconds));
        row("Server CPU a row", SummaryTable::cpuPerRow);
        row(
                "All rows in the table",
                run -> run.summary()
                        .allRowsInTable()
                        .map(all -> all ? "yes" : "NO")
                        .orElse(UNKNOWN));
    }

    private static String cpuPerRow(MeasuredRun run) {
        OptionalDouble seconds = run.summary().decimal("server_cpu_seconds");
        return seconds.isPresent() && run.rows() > 0
                ? Figures.times(seconds.getAsDouble() * MICROS / run.rows()) + " µs"
                : UNKNOWN;
    }

    private void row(String heading, Function<MeasuredRun, String> figure) {
        rows.add(new Html.Row("", cells(heading, figure)));
    }

    private List<String> cells(String heading, Function<MeasuredRun, String> figure) {
        return Stream.concat(Stream.of(heading), runs.stream().map(figure)).toList();
    }

    private static String whole(OptionalLong value) {
        return value.isPresent() ? Figures.count(value.getAsLong()) : UNKNOWN;
    }

    private static String figure(OptionalDouble value, DoubleFunction<String> words) {
        return value.isPresent() ? words.apply(value.getAsDouble()) : UNKNOWN;
    }
}
