package io.chunkroll.job.study;

import io.chunkroll.job.report.RunSummary;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** What is read off a run, shown and compared. Studies name them in lower case. */
public enum Figure {
    /** Rows committed a second, from the first row read to the last commit; of psql, from its start to its end. */
    ROWS_PER_SECOND("rows/s", 0, "rows_per_second"),
    /** Until the indexes were ready, too; the same as until the last commit where they were there before the rows. */
    READY_SECONDS("seconds until ready", 2, "ready_seconds"),
    SERVER_CPU("server CPU, us/row", 2, "server_cpu_seconds"),
    CLIENT_CPU("client CPU, us/row", 2, "client_cpu_seconds"),
    WAL_BYTES("WAL, bytes", 0, "wal_bytes"),
    TABLE_BYTES("table, bytes", 0, "table_bytes"),
    INDEX_BYTES("indexes, bytes", 0, "index_bytes"),
    DISK_WRITE_BYTES("written to disk, bytes", 0, "server_disk_write_bytes"),
    FLUSH_P50("flush p50, ms", 1, "flush_ms.p50"),
    FLUSH_P99("flush p99, ms", 1, "flush_ms.p99"),
    CHUNKS("chunks", 0, "chunks"),
    /** What the server still did when the load had returned, until it was idle. */
    AFTER_SECONDS("after the load, s", 1, "after_load.seconds"),
    AFTER_CPU_SECONDS("after the load, server CPU s", 2, "after_load.server_cpu_seconds"),
    AFTER_DISK_BYTES("after the load, bytes written", 0, "after_load.server_disk_write_bytes"),
    /** How evenly the subtasks were served. */
    SUBTASK_ROWS_MIN("rows of a subtask, min", 0, "rows_per_subtask.min"),
    SUBTASK_ROWS_MEAN("mean", 0, "rows_per_subtask.mean"),
    SUBTASK_ROWS_MAX("max", 0, "rows_per_subtask.max");

    private static final double MICROS = 1e6;

    private final String title;
    private final int decimals;
    private final String field;

    Figure(String title, int decimals, String field) {
        this.title = title;
        this.decimals = decimals;
        this.field = field;
    }

    static Optional<Figure> of(String word) {
        return Arrays.stream(values())
                .filter(figure -> figure.word().equals(word))
                .findFirst();
    }

    static List<String> words() {
        return Arrays.stream(values()).map(Figure::word).toList();
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The head of its column. */
    String title() {
        return title;
    }

    String text(OptionalDouble value) {
        return value.isPresent()
                ? String.format(Locale.ROOT, "%,." + decimals + "f", value.getAsDouble())
                : StudyTable.UNKNOWN;
    }

    /** Reads it off a finished run; empty where it was not measured. */
    OptionalDouble of(RunSummary summary) {
        OptionalDouble value = summary.decimal(field);
        return switch (this) {
            case READY_SECONDS -> value.isPresent() ? value : summary.decimal("seconds");
            case SERVER_CPU, CLIENT_CPU ->
                aRow(value, summary.whole("rows_written").orElse(0));
            default -> value;
        };
    }

    /** CPU seconds as microseconds a row. */
    static OptionalDouble aRow(OptionalDouble seconds, long rows) {
        return seconds.isPresent() && rows > 0
                ? OptionalDouble.of(seconds.getAsDouble() * MICROS / rows)
                : OptionalDouble.empty();
    }
}
