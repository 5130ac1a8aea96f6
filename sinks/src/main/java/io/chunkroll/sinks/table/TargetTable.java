package io.chunkroll.sinks.table;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.TableDescription;
import java.io.Serializable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A table as the server's catalogue has it.
 *
 * @param name its name with its schema
 * @param columns those that a client can write, in the table's order; the time column is the one it is partitioned by, else its first
 *     of a time type
 * @param layout how it is stored
 * @param partedByTime whether a row's time alone tells its chunk or partition, so that it can be made ahead
 */
public record TargetTable(TableName name, TableDescription columns, Layout layout, boolean partedByTime)
        implements Serializable {

    /** Ordinary, partitioned and foreign tables, by {@code pg_class.relkind}. */
    private static final Set<String> LOADABLE = Set.of("r", "p", "f");

    private static final String TABLE = """
            SELECT n.nspname, c.relname, c.relkind, c.oid
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.oid = to_regclass(?)
            """;

    // A domain's columns are encoded as its base type's.
    private static final String COLUMNS = """
            WITH RECURSIVE base(attnum, type) AS (
                SELECT a.attnum, a.atttypid FROM pg_attribute a WHERE a.attrelid = ?
                UNION
                SELECT b.attnum, t.typbasetype FROM base b JOIN pg_type t ON t.oid = b.type WHERE t.typtype = 'd'
            )
            SELECT a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, b.type::int
            FROM pg_attribute a
            JOIN base b ON b.attnum = a.attnum
            JOIN pg_type t ON t.oid = b.type AND t.typtype <> 'd'
            WHERE a.attrelid = ? AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.attidentity <> 'a'
            ORDER BY a.attnum
            """;

    private static final String PARTITION_COLUMN = """
            SELECT a.attname FROM pg_partitioned_table p
            JOIN pg_attribute a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
            WHERE p.partrelid = ? AND p.partstrat = 'r' AND p.partnatts = 1
            """;

    private static final String HYPERTABLE_COLUMN = """
            SELECT d.column_name FROM _timescaledb_catalog.hypertable h
            JOIN _timescaledb_catalog.dimension d ON d.hypertable_id = h.id
            WHERE h.schema_name = ? AND h.table_name = ?
            ORDER BY d.id LIMIT 1
            """;

    private static final String DIMENSIONS = """
            SELECT count(*) FROM _timescaledb_catalog.dimension d JOIN _timescaledb_catalog.hypertable h ON h.id = d.hypertable_id
            WHERE h.schema_name = ? AND h.table_name = ?
            """;

    /**
     * Reads the table from the catalogue; empty if there is none of that name.
     *
     * @throws TargetException if what has that name is no table, or has no column to fill
     */
    public static Optional<TargetTable> read(Connection connection, TableName name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TABLE)) {
            statement.setString(1, name.sql());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                TableName found = new TableName(row.getString(1), row.getString(2));
                if (!LOADABLE.contains(row.getString(3))) {
                    throw new TargetException(
                            found + " (sink.table) is a view, a sequence or the like, and no table that rows can be"
                                    + " copied into: name its table");
                }
                return Optional.of(read(connection, found, row.getString(3), row.getLong(4)));
            }
        }
    }

    private static TargetTable read(Connection connection, TableName name, String kind, long oid) throws SQLException {
        List<Column> columns = columns(connection, oid);
        if (columns.isEmpty()) {
            throw new TargetException("Table " + name + " (sink.table) has no column that rows could fill");
        }
        boolean partitioned = kind.equals("p");
        int time = indexOf(
                columns, partitioned ? first(connection, PARTITION_COLUMN, oid) : hypertableColumn(connection, name));
        boolean byTime = time >= 0 && (!partitioned || columns.get(time).type().isTime());
        Layout layout = !byTime ? Layout.PLAIN : partitioned ? Layout.PARTITIONED : Layout.HYPERTABLE;
        if (!byTime) {
            time = firstTime(columns);
        }
        boolean partedByTime = layout == Layout.PARTITIONED
                || (layout == Layout.HYPERTABLE
                        && columns.get(time).type().isTime()
                        && first(connection, DIMENSIONS, name.schema(), name.name())
                                .equals(Optional.of("1")));
        return new TargetTable(name, new TableDescription(columns, time, TableDescription.NONE), layout, partedByTime);
    }

    private static int indexOf(List<Column> columns, Optional<String> name) {
        return name.map(columns.stream().map(Column::name).toList()::indexOf).orElse(TableDescription.NONE);
    }

    private static int firstTime(List<Column> columns) {
        return columns.stream().map(column -> column.type().isTime()).toList().indexOf(true);
    }

    private static List<Column> columns(Connection connection, long oid) throws SQLException {
        List<Column> columns = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
            statement.setLong(1, oid);
            statement.setLong(2, oid);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    ColumnType type = ColumnType.ofOid(row.getInt(4));
                    columns.add(new Column(row.getString(1), type, row.getString(2), row.getBoolean(3)));
                }
            }
        }
        return columns;
    }

    private static Optional<String> hypertableColumn(Connection connection, TableName name) throws SQLException {
        return Timescale.isInstalled(connection)
                ? first(connection, HYPERTABLE_COLUMN, name.schema(), name.name())
                : Optional.empty();
    }

    static List<String> all(Connection connection, String sql, Object... parameters) throws SQLException {
        List<String> values = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    values.add(row.getString(1));
                }
            }
        }
        return values;
    }

    static Optional<String> first(Connection connection, String sql, Object... parameters) throws SQLException {
        return all(connection, sql, parameters).stream()
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** An identifier of this table as a statement needs it. */
    public String quote(String identifier) {
        return Identifiers.quote(identifier);
    }

    /** The number of rows in the table, counted. */
    public long count(Connection connection) throws SQLException {
        return Long.parseLong(
                first(connection, "SELECT count(*) FROM " + name.sql()).orElseThrow());
    }

    /** The definitions of its indexes. */
    public List<String> indexes(Connection connection) throws SQLException {
        return all(
                connection,
                "SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = to_regclass(?) ORDER BY indexrelid",
                name.sql());
    }

    /** The intervals of a hypertable's dimensions by time. */
    public List<String> chunkIntervals(Connection connection) throws SQLException {
        return all(
                connection,
                "SELECT coalesce(time_interval::text, integer_interval::text) FROM timescaledb_information.dimensions"
                        + " WHERE hypertable_schema = ? AND hypertable_name = ? AND dimension_type = 'Time'",
                name.schema(),
                name.name());
    }

    /** Bytes of the table's rows on disk: heap, TOAST and maps, those of chunks and partitions included, indexes not. */
    public long tableBytes(Connection connection) throws SQLException {
        return sum(connection, "pg_table_size");
    }

    /** Bytes of its indexes on disk, those of chunks and partitions included. */
    public long indexBytes(Connection connection) throws SQLException {
        return sum(connection, "pg_indexes_size");
    }

    /** Chunks of hypertables and native partitions, and theirs, are all descendants by inheritance. */
    private long sum(Connection connection, String function) throws SQLException {
        String sql = "WITH RECURSIVE tree(oid) AS (SELECT to_regclass(?)::oid"
                + " UNION SELECT i.inhrelid FROM pg_inherits i JOIN tree ON i.inhparent = tree.oid)"
                + " SELECT sum(" + function + "(oid)) FROM tree";
        return Long.parseLong(first(connection, sql, name.sql())
                .orElseThrow(() -> new SQLException("table " + name + " is there no more")));
    }
}
