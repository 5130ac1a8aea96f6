package io.chunkroll.sinks.table;

import static java.util.stream.Collectors.joining;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.Index;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Makes and drops tables. */
public final class TableMaker {
    private TableMaker() {}

    /**
     * Makes the table, its indexes and, as the layout asks, the hypertable, all in one transaction. Native partitions come later, with
     * the rows.
     *
     * @throws TargetException if a hypertable is wanted of a server without TimescaleDB, or a layout by time of a table without one
     * @throws SQLException if the server refuses
     */
    public static void create(Connection connection, TableName name, TableDefinition definition) throws SQLException {
        boolean partitioned = definition.layout() != Layout.PLAIN;
        if (partitioned && definition.columns().timeColumn() < 0) {
            throw new TargetException(
                    "Table " + name + " has no time column to be partitioned by; set sink.layout plain");
        }
        if (definition.layout() == Layout.HYPERTABLE && !Timescale.isInstalled(connection)) {
            throw new TargetException(
                    "sink.layout hypertable needs TimescaleDB, and the database of sink.url does not have it: run CREATE"
                            + " EXTENSION timescaledb in it, or set sink.layout to plain or partitioned");
        }
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute(createSql(name, definition));
            if (definition.layout() == Layout.HYPERTABLE) {
                statement.execute(hypertableSql(name, definition));
            }
            for (Index index : definition.indexes()) {
                statement.execute(indexSql(name, index));
            }
            connection.commit();
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /** Drops the table with its chunks or partitions, those too that a bulk load has not attached, if it is there. */
    public static void drop(Connection connection, TableName name) throws SQLException {
        BulkMark.drop(connection, BulkMark.partitions(connection, name));
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS " + name.sql());
        }
    }

    private static String createSql(TableName name, TableDefinition definition) {
        String columns = definition.columns().columns().stream()
                .map(TableMaker::columnSql)
                .collect(joining(", ", " (", ")"));
        String partitions =
                definition.layout() == Layout.PARTITIONED ? " PARTITION BY RANGE (" + timeColumn(definition) + ')' : "";
        return "CREATE TABLE " + name.sql() + columns + partitions;
    }

    private static String columnSql(Column column) {
        return Identifiers.quote(column.name()) + ' ' + column.sqlType() + (column.notNull() ? " NOT NULL" : "");
    }

    static String indexSql(TableName table, Index index) {
        String keys = index.keys().stream()
                .map(key -> Identifiers.quote(key.column()) + (key.descending() ? " DESC" : ""))
                .collect(joining(", ", " (", ")"));
        return "CREATE " + (index.unique() ? "UNIQUE " : "") + "INDEX ON " + table.sql() + keys;
    }

    private static String timeColumn(TableDefinition definition) {
        var columns = definition.columns();
        return Identifiers.quote(columns.columns().get(columns.timeColumn()).name());
    }

    /** {@code create_default_indexes} is off: the definition says which indexes there are. */
    private static String hypertableSql(TableName name, TableDefinition definition) {
        var columns = definition.columns();
        return String.format(
                "SELECT create_hypertable(%s::regclass, by_range(%s, INTERVAL '%d microseconds'), create_default_indexes => false)",
                Identifiers.literal(name.sql()),
                Identifiers.literal(columns.columns().get(columns.timeColumn()).name()),
                definition.chunkInterval().toNanos() / 1_000);
    }
}
