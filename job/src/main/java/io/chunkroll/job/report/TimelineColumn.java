package io.chunkroll.job.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The columns of timeline.csv, in their order. */
enum TimelineColumn {
    TIME,
    ELAPSED_S,
    PHASE,
    ROWS,
    ROWS_PER_S,
    BYTES_PER_S,
    FLUSH_P50_MS,
    FLUSH_P99_MS,
    CHUNKS,
    WAL_BYTES,
    SERVER_CPU,
    CLIENT_CPU,
    DISK_WRITE_BYTES,
    TABLE_BYTES,
    INDEX_BYTES;

    private static final int DECIMALS = 3;

    /** Whether older versions did not write it. */
    boolean isLater() {
        return compareTo(DISK_WRITE_BYTES) > 0;
    }

    String header() {
        return name().toLowerCase(Locale.ROOT);
    }

    String cell(TimelinePoint point) {
        return switch (this) {
            case TIME -> point.time().toString();
            case ELAPSED_S -> cell(point.elapsedSeconds());
            case PHASE -> point.phase();
            case ROWS -> Long.toString(point.rows());
            case ROWS_PER_S -> cell(point.rowsPerSecond());
            case BYTES_PER_S -> cell(point.bytesPerSecond());
            case FLUSH_P50_MS -> cell(point.flushP50Millis());
            case FLUSH_P99_MS -> cell(point.flushP99Millis());
            case CHUNKS -> cell(point.chunks());
            case WAL_BYTES -> cell(point.walBytes());
            case SERVER_CPU -> cell(point.serverCpuSeconds());
            case CLIENT_CPU -> cell(point.clientCpuSeconds());
            case DISK_WRITE_BYTES -> cell(point.diskWriteBytes());
            case TABLE_BYTES -> cell(point.tableBytes());
            case INDEX_BYTES -> cell(point.indexBytes());
        };
    }

    private static String cell(OptionalLong value) {
        return value.isPresent() ? Long.toString(value.getAsLong()) : "";
    }

    private static String cell(OptionalDouble value) {
        return value.isPresent() ? cell(value.getAsDouble()) : "";
    }

    private static String cell(double value) {
        if (!Double.isFinite(value)) {
            return "";
        }
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_UP);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
