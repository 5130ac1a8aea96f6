package io.chunkroll.sinks.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the partitions of a bulk load: tables of their own without indexes, named as {@link PartitionMaker} names them, that
 * {@link BulkLoad#finish} attaches when they are full and indexed. A constraint says what their range is, so that they are attached
 * without being read.
 */
public final class BarePartitions {
    static final String RANGE = "chunkroll_bulk_range";

    /** Another partition takes some of the range, or rows of it are in the default partition. */
    private static final Set<String> TAKEN = Set.of("42P17", "23514");

    private final TargetTable table;
    private final PartitionMaker partitions;
    private final boolean uniqueFirst;

    /** @param uniqueFirst whether unique indexes are made before the rows come, because rows that break them are left out */
    public BarePartitions(TargetTable table, Duration interval, boolean uniqueFirst) {
        this.table = table;
        this.uniqueFirst = uniqueFirst;
        partitions = new PartitionMaker(table, interval);
    }

    /** The interval that the time is in, counted from 1970. */
    public long intervalOf(long micros) {
        return Math.floorDiv(micros, partitions.intervalMicros());
    }

    /**
     * The table for the rows of the interval, made if it is not there; empty where the parent has a partition for them already, which is
     * then loaded live. Writers that need the same one take turns. The connection commits each statement by itself before and after.
     */
    public Optional<TableName> ensure(Connection connection, long interval) throws SQLException {
        long start = interval * partitions.intervalMicros();
        var partition = new BulkMark.Partition(
                partitions.partition(start),
                partitions.bound(start),
                partitions.bound(start + partitions.intervalMicros()));
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(hashtextextended("
                    + Identifiers.literal("chunkroll " + table.name().sql()) + ", 0))");
            if (exists(connection, partition.name())) {
                return BulkMark.partitions(connection, table.name()).contains(partition)
                        ? Optional.of(partition.name())
                        : Optional.empty();
            }
            make(statement, partition);
            if (!canBeAttached(connection, partition)) {
                return Optional.empty();
            }
            if (uniqueFirst) {
                for (IndexSql index : IndexSql.of(connection, table.name())) {
                    if (index.unique()) {
                        statement.execute(index.on(partition.name()));
                    }
                }
            }
            BulkMark.write(connection, table.name(), partition);
            connection.commit();
            return Optional.of(partition.name());
        } finally {
            if (!connection.isClosed()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }
    }

    private static boolean exists(Connection connection, TableName name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT to_regclass(?) IS NOT NULL")) {
            statement.setString(1, name.sql());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    private void make(Statement statement, BulkMark.Partition partition) throws SQLException {
        String time = Identifiers.quote(partitions.timeColumn().name());
        statement.execute("CREATE TABLE " + partition.name().sql() + " (LIKE "
                + table.name().sql()
                + " INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED INCLUDING STORAGE,"
                + " CONSTRAINT " + RANGE + " CHECK (" + time + " IS NOT NULL AND " + time + " >= " + partition.from()
                + " AND " + time + " < " + partition.to() + "))");
    }

    /** Tried out while it is empty: what would be in the way at the end is known before the first row comes. */
    private boolean canBeAttached(Connection connection, BulkMark.Partition partition) throws SQLException {
        Savepoint before = connection.setSavepoint();
        try {
            attach(connection, table.name(), partition);
        } catch (SQLException e) {
            if (TAKEN.contains(e.getSQLState())) {
                return false;
            }
            throw e;
        }
        connection.rollback(before);
        return true;
    }

    static void attach(Connection connection, TableName parent, BulkMark.Partition partition) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE " + parent.sql() + " ATTACH PARTITION "
                    + partition.name().sql() + " FOR VALUES FROM (" + partition.from() + ") TO (" + partition.to()
                    + ")");
        }
    }
}
