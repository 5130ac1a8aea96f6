package io.chunkroll.sinks.table;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Makes the native partitions that a batch needs, each in a short transaction of its own before the batch's.
 *
 * <p>Partitions cover equal intervals counted from 1970-01-01 UTC and are named {@code <table>_p<UTC start>}. Each is made as a table of
 * its own and then attached, which holds up neither readers nor the other writers of the parent; writers that need the same one take
 * turns on an advisory lock. Where a partition that somebody else made covers the interval, it is used as it is.
 */
public final class PartitionMaker {
    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("'_p'uuuuMMdd'T'HHmmss");
    private static final DateTimeFormatter BOUND = new DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR_OF_ERA, 4, 6, SignStyle.NOT_NEGATIVE)
            .appendPattern("-MM-dd HH:mm:ss")
            .toFormatter(Locale.ROOT);
    private static final String DUPLICATE_TABLE = "42P07";
    private static final String OVERLAPPING_PARTITION = "42P17";
    private static final long MAX_PARTITIONS_A_BATCH = 1_000;

    private final TargetTable table;
    private final long intervalMicros;
    private final Set<Long> made = new HashSet<>();

    /** @throws TargetException if the table is partitioned by a date, of which the interval does not take whole ones */
    public PartitionMaker(TargetTable table, Duration interval) {
        this.table = table;
        intervalMicros = interval.toNanos() / 1_000;
        if (intervalMicros <= 0 || intervalMicros % 1_000_000 != 0) {
            throw new IllegalArgumentException("A partition's interval must be of whole seconds, not " + interval);
        }
        if (timeColumn().type() == ColumnType.DATE && !interval.equals(Duration.ofDays(interval.toDays()))) {
            throw new TargetException("Table " + table.name() + " is partitioned by the date "
                    + timeColumn().name() + ": set sink.chunk-interval to whole days");
        }
    }

    /**
     * Makes what is missing for rows between the two times, both included, in microseconds since 1970; nothing if the first is after the
     * second. The connection commits each statement by itself before and after.
     *
     * @throws TargetException if the span would take more than {@value #MAX_PARTITIONS_A_BATCH} partitions
     */
    public void ensure(Connection connection, long minTime, long maxTime) throws SQLException {
        if (minTime > maxTime) {
            return;
        }
        long first = Math.floorDiv(minTime, intervalMicros);
        long last = Math.floorDiv(maxTime, intervalMicros);
        if (last - first >= MAX_PARTITIONS_A_BATCH) {
            throw new TargetException(
                    "A batch for table " + table.name() + " spans " + Instant.EPOCH.plus(minTime, ChronoUnit.MICROS)
                            + " to " + Instant.EPOCH.plus(maxTime, ChronoUnit.MICROS) + ", which would take "
                            + (last - first + 1)
                            + " partitions; set a larger sink.chunk-interval, or sort the input by time");
        }
        for (long i = first; i <= last; i++) {
            if (!made.contains(i)) {
                make(connection, i * intervalMicros);
                made.add(i);
            }
        }
    }

    /** Whether the partitions of all times from the first to the second, both included, are known to be there. */
    public boolean covers(long minTime, long maxTime) {
        long last = Math.floorDiv(maxTime, intervalMicros);
        for (long i = Math.floorDiv(minTime, intervalMicros); i <= last; i++) {
            if (!made.contains(i)) {
                return false;
            }
        }
        return true;
    }

    private void make(Connection connection, long startMicros) throws SQLException {
        LocalDateTime start = utc(startMicros);
        TableName partition = table.name().sibling(NAME.format(start));
        String parent = table.name().sql();
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(hashtextextended("
                    + Identifiers.literal("chunkroll " + parent) + ", 0))");
            statement.execute("CREATE TABLE " + partition.sql() + " (LIKE " + parent
                    + " INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED INCLUDING STORAGE)");
            statement.execute("ALTER TABLE " + parent + " ATTACH PARTITION " + partition.sql() + " FOR VALUES FROM ("
                    + bound(start) + ") TO (" + bound(utc(startMicros + intervalMicros)) + ")");
            connection.commit();
        } catch (SQLException e) {
            if (!DUPLICATE_TABLE.equals(e.getSQLState()) && !OVERLAPPING_PARTITION.equals(e.getSQLState())) {
                throw e;
            }
        } finally {
            if (!connection.isClosed()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    /** What a partition that begins then is called. */
    TableName partition(long startMicros) {
        return table.name().sibling(NAME.format(utc(startMicros)));
    }

    /** A time as the bound of a partition, as SQL. */
    String bound(long micros) {
        return bound(utc(micros));
    }

    long intervalMicros() {
        return intervalMicros;
    }

    Column timeColumn() {
        return table.columns().columns().get(table.columns().timeColumn());
    }

    private static LocalDateTime utc(long micros) {
        return LocalDateTime.ofInstant(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), ZoneOffset.UTC);
    }

    private String bound(LocalDateTime time) {
        String sqlType = timeColumn().sqlType();
        String text = BOUND.format(time)
                + (sqlType.contains("with time zone") ? "+00" : "")
                + (time.getYear() > 0 ? "" : " BC");
        return Identifiers.literal(text);
    }
}
