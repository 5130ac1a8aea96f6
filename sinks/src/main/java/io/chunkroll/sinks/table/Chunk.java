package io.chunkroll.sinks.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A chunk of a hypertable, or a native partition.
 *
 * @param name its name without its schema
 * @param rangeStart the first time it takes, as the server writes it, or for a native partition its whole bound
 * @param rangeEnd the end of its range, exclusive; empty for a native partition
 * @param made when it was made, by the server's clock; PostgreSQL does not know that of a native partition
 */
public record Chunk(String name, String rangeStart, String rangeEnd, Optional<Instant> made) {

    private static final String COUNT_CHUNKS = """
            SELECT count(*) FROM _timescaledb_catalog.chunk c JOIN _timescaledb_catalog.hypertable h ON h.id = c.hypertable_id
            WHERE h.schema_name = ? AND h.table_name = ? AND NOT c.dropped
            """;

    private static final String CHUNKS = """
            SELECT chunk_name, coalesce(range_start::text, range_start_integer::text),
                coalesce(range_end::text, range_end_integer::text), chunk_creation_time
            FROM timescaledb_information.chunks WHERE hypertable_schema = ? AND hypertable_name = ?
            ORDER BY chunk_creation_time, chunk_name
            """;

    private static final String COUNT_PARTITIONS = """
            SELECT count(*) FROM pg_inherits WHERE inhparent = format('%I.%I', ?::text, ?::text)::regclass
            """;

    private static final String PARTITIONS = """
            SELECT c.relname, pg_get_expr(c.relpartbound, c.oid), '', NULL::timestamptz
            FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
            WHERE i.inhparent = format('%I.%I', ?::text, ?::text)::regclass ORDER BY c.oid
            """;

    /** Whether a table of this layout has chunks or partitions. */
    public static boolean has(TargetTable table) {
        return table.layout() != Layout.PLAIN;
    }

    /** How many there are now; 0 for a plain table. Cheap enough to be asked every second. */
    public static long count(Connection connection, TargetTable table) throws SQLException {
        if (!has(table)) {
            return 0;
        }
        String sql = table.layout() == Layout.HYPERTABLE ? COUNT_CHUNKS : COUNT_PARTITIONS;
        try (PreparedStatement statement = prepare(connection, sql, table);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Those that there are now, in the order in which they were made; none for a plain table. */
    public static List<Chunk> list(Connection connection, TargetTable table) throws SQLException {
        List<Chunk> chunks = new ArrayList<>();
        if (!has(table)) {
            return chunks;
        }
        String sql = table.layout() == Layout.HYPERTABLE ? CHUNKS : PARTITIONS;
        try (PreparedStatement statement = prepare(connection, sql, table);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                Optional<Instant> made =
                        Optional.ofNullable(row.getTimestamp(4)).map(Timestamp::toInstant);
                chunks.add(new Chunk(row.getString(1), row.getString(2), row.getString(3), made));
            }
        }
        return chunks;
    }

    private static PreparedStatement prepare(Connection connection, String sql, TargetTable table) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setString(1, table.name().schema());
        statement.setString(2, table.name().name());
        return statement;
    }
}
