package io.chunkroll.job.report;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/**
 * What runs are compared by besides their rate. Totals are taken a row, for loads of different sizes compare then, too; of loads of one
 * size it is the same.
 *
 * @param field its name in the report's data
 */
record ComparedFigure(
        String field, String title, DoubleFunction<String> words, Function<MeasuredRun, OptionalDouble> figure) {
    /** In the order of the report. */
    static final List<ComparedFigure> ALL = List.of(
            new ComparedFigure(
                    "wal_bytes_per_row", "WAL a row", ComparedFigure::bytes, run -> perWritten(run, "wal_bytes")),
            new ComparedFigure(
                    "server_cpu_seconds_per_row",
                    "Server CPU a row",
                    ComparedFigure::micros,
                    run -> perWritten(run, "server_cpu_seconds")),
            new ComparedFigure(
                    "table_bytes_per_row",
                    "Table a row",
                    ComparedFigure::bytes,
                    run -> perRowInTable(run, "table_bytes")),
            new ComparedFigure(
                    "index_bytes_per_row",
                    "Indexes a row",
                    ComparedFigure::bytes,
                    run -> perRowInTable(run, "index_bytes")),
            new ComparedFigure(
                    "flush_p99_ms",
                    "Flush, p99",
                    Figures::millis,
                    run -> run.summary().decimal("flush_ms.p99")));

    private static final double MICROS = 1e6;

    private static String bytes(double value) {
        return Figures.bytes(value < 10 ? value : Math.rint(value));
    }

    private static String micros(double seconds) {
        return Figures.times(seconds * MICROS) + " µs";
    }

    String words(OptionalDouble value) {
        return FigureTable.words(value, words);
    }

    OptionalDouble of(MeasuredRun run) {
        return figure.apply(run);
    }

    private static OptionalDouble perWritten(MeasuredRun run, String field) {
        return perRow(run, field, run.rows());
    }

    /** The sizes are those of all that the table holds; not known where that was not counted. */
    private static OptionalDouble perRowInTable(MeasuredRun run, String field) {
        OptionalLong rows = run.rowsInTable();
        return perRow(run, field, rows.orElse(0));
    }

    private static OptionalDouble perRow(MeasuredRun run, String field, long rows) {
        OptionalDouble total = run.summary().decimal(field);
        return total.isPresent() && rows > 0 ? OptionalDouble.of(total.getAsDouble() / rows) : OptionalDouble.empty();
    }
}
