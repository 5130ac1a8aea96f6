package io.chunkroll.job.report;

import java.util.List;

/** What came of the loads. */
final class SummaryTable {
    private static final String UNKNOWN = FigureTable.UNKNOWN;

    private final List<MeasuredRun> runs;
    private final FigureTable table;

    private SummaryTable(List<MeasuredRun> runs) {
        this.runs = runs;
        table = new FigureTable(runs);
    }

    static String of(List<MeasuredRun> runs) {
        SummaryTable summary = new SummaryTable(runs);
        summary.load();
        summary.table();
        return summary.table.html();
    }

    private void load() {
        table.row(
                "Table",
                run -> run.hasTable() ? run.summary().setting("sink.table").orElse(UNKNOWN) : "none");
        table.row("Layout", run -> run.hasTable() ? run.layout() : "none");
        table.row("Sink", run -> run.summary().setting("sink.kind").orElse(UNKNOWN));
        table.row("Rows written", run -> Figures.count(run.rows()));
        if (runs.stream().anyMatch(run -> run.summary().whole("rows_inserted").isPresent())) {
            table.whole("Rows inserted", "rows_inserted");
            table.whole("Rows skipped", "rows_skipped");
            table.whole("Rows replaced", "rows_replaced");
        }
        table.figure("Time", "seconds", Figures::seconds);
        if (runs.stream().anyMatch(run -> run.summary().decimal("index_seconds").isPresent())) {
            table.figure("Indexes built in", "index_seconds", Figures::seconds);
            table.figure("Until indexes are ready", "ready_seconds", Figures::seconds);
        }
        table.main("Mean rate, rows/s", run -> FigureTable.words(run.meanRate(), Figures::bareRate));
    }

    private void table() {
        table.whole("Chunks", "chunks");
        table.row(
                "All rows in the table",
                run -> run.summary()
                        .allRowsInTable()
                        .map(all -> all ? "yes" : "NO")
                        .orElse(UNKNOWN));
    }
}
