package io.chunkroll.sinks.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    private static final String CHUNK_SIZES = """
            SELECT c.chunk_name, pg_table_size(r.oid), pg_indexes_size(r.oid)
            FROM timescaledb_information.chunks c
            JOIN pg_namespace n ON n.nspname = c.chunk_schema
            JOIN pg_class r ON r.relnamespace = n.oid AND r.relname = c.chunk_name
            WHERE c.hypertable_schema = ? AND c.hypertable_name = ?
            """;

    private static final String PARTITION_SIZES = """
            SELECT c.relname, sum(pg_table_size(p.relid)), sum(pg_indexes_size(p.relid))
            FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid, pg_partition_tree(c.oid) p
            WHERE i.inhparent = format('%I.%I', ?::text, ?::text)::regclass GROUP BY c.oid, c.relname
            """;

    /**
     * What a chunk takes on disk.
     *
     * @param tableBytes its rows: heap, TOAST and maps
     * @param indexBytes its indexes
     */
    public record Size(long tableBytes, long indexBytes) {}

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

    /** What each of them takes now, by name; one query, however many there are. A chunk that is just being dropped is left out. */
    public static Map<String, Size> sizes(Connection connection, TargetTable table) throws SQLException {
        Map<String, Size> sizes = new HashMap<>();
        if (!has(table)) {
            return sizes;
        }
        String sql = table.layout() == Layout.HYPERTABLE ? CHUNK_SIZES : PARTITION_SIZES;
        try (PreparedStatement statement = prepare(connection, sql, table);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                Size size = new Size(row.getLong(2), row.getLong(3));
                if (!row.wasNull()) {
                    sizes.put(row.getString(1), size);
                }
            }
        }
        return sizes;
    }

    private static PreparedStatement prepare(Connection connection, String sql, TargetTable table) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setString(1, table.name().schema());
        statement.setString(2, table.name().name());
        return statement;
    }
}
