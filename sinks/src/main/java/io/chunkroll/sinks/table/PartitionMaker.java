package io.chunkroll.sinks.table;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
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
import java.util.Arrays;
import java.util.Locale;
import java.util.LongSummaryStatistics;

/**
 * Makes the native partitions that a batch needs, each in a short transaction of its own before the batch's.
 *
 * <p>Partitions cover equal intervals counted from 1970-01-01 UTC and are named {@code <table>_p<UTC start>}. Each is made as a table of
 * its own and then attached, which holds up neither readers nor the other writers of the parent; writers that need the same one take
 * turns on an advisory lock. Where a partition that somebody else made takes the row, it is used as it is; where it takes a part of the
 * interval, what is left around the row is made.
 */
public final class PartitionMaker {
    private static final DateTimeFormatter NAME = new DateTimeFormatterBuilder()
            .appendPattern("'_p'uuuuMMdd'T'HHmmss")
            .appendFraction(ChronoField.MICRO_OF_SECOND, 0, 6, false)
            .toFormatter(Locale.ROOT);
    private static final DateTimeFormatter BOUND = new DateTimeFormatterBuilder()
            .appendValue(ChronoField.YEAR_OF_ERA, 4, 6, SignStyle.NOT_NEGATIVE)
            .appendPattern("-MM-dd HH:mm:ss")
            .appendFraction(ChronoField.MICRO_OF_SECOND, 0, 6, true)
            .toFormatter(Locale.ROOT);
    private static final String DUPLICATE_TABLE = "42P07";
    private static final long MAX_PARTITIONS_A_BATCH = 1_000;
    /** Midnight of 4714-11-24 BC, PostgreSQL's first day. */
    private static final long EARLIEST = -210_866_803_200_000_000L;

    // The default partition has no bounds, and is not among them.
    private static final String BOUNDS = """
            SELECT format('%I.%I', n.nspname, c.relname),
                CASE WHEN isfinite(b.first) THEN (extract(epoch FROM b.first) * 1000000)::bigint
                    ELSE -9223372036854775808 END,
                CASE WHEN isfinite(b.last) THEN (extract(epoch FROM b.last) * 1000000)::bigint
                    ELSE 9223372036854775807 END
            FROM pg_inherits i
            JOIN pg_class c ON c.oid = i.inhrelid
            JOIN pg_namespace n ON n.oid = c.relnamespace
            CROSS JOIN regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \\((.+)\\) TO \\((.+)\\)') t
            CROSS JOIN LATERAL (
                SELECT CASE WHEN t[1] <> 'MINVALUE' THEN trim(both '''' FROM t[1])::TYPE END AS first,
                    CASE WHEN t[2] <> 'MAXVALUE' THEN trim(both '''' FROM t[2])::TYPE END AS last
            ) b
            WHERE i.inhparent = ?::regclass AND t IS NOT NULL
            """;

    private final TargetTable table;
    private final long intervalMicros;
    private final TimeRanges known = new TimeRanges();

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

    /** The partitions that were found or made. */
    public TimeRanges known() {
        return known;
    }

    /**
     * Makes what is missing for rows of these times, in microseconds since 1970. The connection commits each statement by itself before
     * and after. Nothing is made for a time that is too early for the server, which refuses its row.
     *
     * @throws TargetException if that were more than {@value #MAX_PARTITIONS_A_BATCH} partitions
     */
    public void ensure(Connection connection, long... times) throws SQLException {
        read(connection);
        long[] missing = Arrays.stream(times)
                .filter(time -> time >= EARLIEST && !known.cover(time))
                .toArray();
        long partitions = Arrays.stream(missing)
                .map(time -> Math.floorDiv(time, intervalMicros))
                .distinct()
                .count();
        if (partitions > MAX_PARTITIONS_A_BATCH) {
            LongSummaryStatistics span = Arrays.stream(missing).summaryStatistics();
            throw new TargetException("A batch for table " + table.name() + " has rows from "
                    + Instant.EPOCH.plus(span.getMin(), ChronoUnit.MICROS) + " to "
                    + Instant.EPOCH.plus(span.getMax(), ChronoUnit.MICROS) + " that need " + partitions
                    + " new partitions, more than " + MAX_PARTITIONS_A_BATCH
                    + "; set a larger sink.chunk-interval, or sort the input by time");
        }
        for (long time : missing) {
            if (!known.cover(time)) {
                make(connection, time);
            }
        }
    }

    private void read(Connection connection) throws SQLException {
        known.clear();
        String sql = BOUNDS.replace("TYPE", timeColumn().sqlType());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, table.name().sql());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    known.add(new TimeRanges.Range(row.getLong(2), row.getLong(3), row.getString(1)));
                }
            }
        }
    }

    private void make(Connection connection, long time) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(hashtextextended("
                    + Identifiers.literal("chunkroll " + table.name().sql()) + ", 0))");
            read(connection);
            if (!known.cover(time)) {
                attach(statement, known.gap(time, interval(time)));
                connection.commit();
                read(connection);
            }
        } catch (SQLException e) {
            known.clear();
            throw e;
        } finally {
            if (!connection.isClosed()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    /** What a partition of this time covers where no other one is in its way. */
    private TimeRanges.Range interval(long time) {
        long start = Math.floorDiv(time, intervalMicros) * intervalMicros;
        long end = start > Long.MAX_VALUE - intervalMicros ? Long.MAX_VALUE : start + intervalMicros;
        return new TimeRanges.Range(Math.max(start, EARLIEST), end, "");
    }

    private void attach(Statement statement, TimeRanges.Range range) throws SQLException {
        LocalDateTime start = utc(range.start());
        TableName partition = table.name().sibling(NAME.format(start));
        String parent = table.name().sql();
        String to = range.end() == Long.MAX_VALUE ? "MAXVALUE" : bound(utc(range.end()));
        try {
            statement.execute("CREATE TABLE " + partition.sql() + " (LIKE " + parent
                    + " INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED INCLUDING STORAGE)");
        } catch (SQLException e) {
            if (DUPLICATE_TABLE.equals(e.getSQLState())) {
                throw new TargetException("Table " + partition + " is in the way of the partition of table "
                        + table.name() + " from " + start + ": attach it, or give it another name");
            }
            throw e;
        }
        statement.execute("ALTER TABLE " + parent + " ATTACH PARTITION " + partition.sql() + " FOR VALUES FROM ("
                + bound(start) + ") TO (" + to + ")");
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
