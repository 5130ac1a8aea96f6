package io.chunkroll.job.report;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** What the loads cost, on the server's side above all. */
final class ServerTable {
    private static final double MICROS = 1e6;
    private static final double PERCENT = 100;

    private final FigureTable table;

    private ServerTable(List<MeasuredRun> runs) {
        table = new FigureTable(runs);
    }

    static String of(List<MeasuredRun> runs) {
        ServerTable server = new ServerTable(runs);
        server.load();
        server.after();
        return server.table.html();
    }

    private void load() {
        table.figure("WAL written", "wal_bytes", Figures::bytes);
        table.row("WAL a row", run -> perRow(run, "wal_bytes", OptionalLong.of(run.rows())));
        table.figure("Table size", "table_bytes", Figures::bytes);
        table.row("Table a row", run -> perRow(run, "table_bytes", run.rowsInTable()));
        table.figure("Index size", "index_bytes", Figures::bytes);
        table.row("Indexes a row", run -> perRow(run, "index_bytes", run.rowsInTable()));
        table.figure("Server CPU", "server_cpu_seconds", Figures::seconds);
        table.row("Server CPU a row", ServerTable::cpuPerRow);
        table.figure("Client CPU", "client_cpu_seconds", Figures::seconds);
        table.figure("Written to disk", "server_disk_write_bytes", Figures::bytes);
        table.figure("Flush, p50", "flush_ms.p50", Figures::millis);
        table.figure("Flush, p99", "flush_ms.p99", Figures::millis);
        table.figure("Rows a subtask", "rows_per_subtask.mean", mean -> Figures.count(Math.round(mean)));
        table.row("Subtasks differ by", ServerTable::unfairness);
    }

    private void after() {
        table.row("After the load: busy for", ServerTable::busy);
        table.figure("After the load: server CPU", "after_load.server_cpu_seconds", Figures::seconds);
        table.figure("After the load: written to disk", "after_load.server_disk_write_bytes", Figures::bytes);
    }

    private static String perRow(MeasuredRun run, String field, OptionalLong rows) {
        OptionalDouble bytes = run.summary().decimal(field);
        return bytes.isPresent() && rows.orElse(0) > 0
                ? Figures.bytes(Math.rint(bytes.getAsDouble() / rows.getAsLong()))
                : FigureTable.UNKNOWN;
    }

    private static String cpuPerRow(MeasuredRun run) {
        OptionalDouble seconds = run.summary().decimal("server_cpu_seconds");
        return seconds.isPresent() && run.rows() > 0
                ? Figures.times(seconds.getAsDouble() * MICROS / run.rows()) + " µs"
                : FigureTable.UNKNOWN;
    }

    /** Largest less smallest, of the mean. */
    private static String unfairness(MeasuredRun run) {
        OptionalDouble min = run.summary().decimal("rows_per_subtask.min");
        OptionalDouble mean = run.summary().decimal("rows_per_subtask.mean");
        OptionalDouble max = run.summary().decimal("rows_per_subtask.max");
        return min.isPresent() && max.isPresent() && mean.orElse(0) > 0
                ? Figures.times(PERCENT * (max.getAsDouble() - min.getAsDouble()) / mean.getAsDouble()) + "%"
                : FigureTable.UNKNOWN;
    }

    private static String busy(MeasuredRun run) {
        OptionalDouble seconds = run.summary().decimal("after_load.seconds");
        if (seconds.isEmpty()) {
            return FigureTable.UNKNOWN;
        }
        boolean idle = run.summary().word("after_load.ended").equals("idle");
        boolean pending = run.summary().word("after_load.checkpoint_pending").equals("true");
        return (idle ? "" : "more than ")
                + Figures.seconds(seconds.getAsDouble())
                + (pending ? ", a checkpoint still to come" : "");
    }
}
