package io.chunkroll.sinks.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The times that a hypertable's chunks cover, as its catalogue had them when it was last asked. In microseconds since 1970, in which
 * TimescaleDB keeps the ranges of dates and of both kinds of timestamps.
 */
public final class ChunkRanges {
    private static final String RANGES = """
            SELECT s.range_start, s.range_end, format('%I.%I', c.schema_name, c.table_name)
            FROM _timescaledb_catalog.hypertable h
            JOIN _timescaledb_catalog.chunk c ON c.hypertable_id = h.id AND NOT c.dropped
            JOIN _timescaledb_catalog.chunk_constraint k ON k.chunk_id = c.id
            JOIN _timescaledb_catalog.dimension_slice s ON s.id = k.dimension_slice_id
            WHERE h.schema_name = ? AND h.table_name = ?
            """;

    private static final String LOCK_KEY = "hashtextextended('chunkroll ' || ?, 0)";
    private static final String LOCK = "SELECT pg_advisory_xact_lock(" + LOCK_KEY + ")";

    // A lock by one bigint is shown in two halves.
    private static final String WAITING = """
            SELECT count(*) FROM pg_locks
            WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND (locktype = 'relation' AND relation = to_regclass(?)
                    OR locktype = 'advisory' AND objsubid = 1 AND (classid::bigint << 32 | objid::bigint) = %s)
            """.formatted(LOCK_KEY);

    // TimescaleDB's own, on every hypertable, is not meant.
    private static final String HAS_TRIGGERS = """
            SELECT EXISTS (SELECT FROM pg_trigger
                WHERE tgrelid = ?::regclass AND NOT tgisinternal AND tgname <> 'ts_insert_blocker')
            """;

    private final TargetTable table;
    private final TimeRanges known = new TimeRanges();

    public ChunkRanges(TargetTable table) {
        this.table = table;
    }

    /** Those found when the catalogue was last asked. */
    public TimeRanges known() {
        return known;
    }

    /** Asks the catalogue. */
    public void read(Connection connection) throws SQLException {
        known.clear();
        try (PreparedStatement statement = connection.prepareStatement(RANGES)) {
            statement.setString(1, table.name().schema());
            statement.setString(2, table.name().name());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    known.add(new TimeRanges.Range(row.getLong(1), row.getLong(2), row.getString(3)));
                }
            }
        }
    }

    /** Makes other loads wait that are about to make a chunk of this table, until the transaction ends. */
    public void lock(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(LOCK)) {
            statement.setString(1, table.name().sql());
            statement.executeQuery().close();
        }
    }

    /** How many connections wait for that lock, or for one on the table itself, as whoever makes a chunk does. */
    static long waiting(Connection connection, TargetTable table) throws SQLException {
        String name = table.name().sql();
        return Long.parseLong(TargetTable.first(connection, WAITING, name, name).orElseThrow());
    }

    /** Whether the table's user has put triggers on it. */
    public boolean haveTriggers(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(HAS_TRIGGERS)) {
            statement.setString(1, table.name().sql());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBoolean(1);
            }
        }
    }

    /** Deletes from a chunk what this transaction has put into it. */
    public static void deleteOwn(Connection connection, String chunk) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM ONLY " + chunk + " WHERE xmin = pg_current_xact_id()::xid");
        }
    }
}
