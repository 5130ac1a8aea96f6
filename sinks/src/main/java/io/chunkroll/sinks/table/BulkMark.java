package io.chunkroll.sinks.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a bulk load notes in the comment of its table, so that it is known whatever becomes of the load: the indexes that it has taken
 * away, and the comment that was there. A partition that is not attached yet has a comment, too, with its parent and its bounds.
 *
 * @param loaded whether all of the load's rows are committed
 * @param indexes the definitions of indexes to be made again, with their names
 * @param comment the table's own comment, or null
 */
record BulkMark(boolean loaded, List<String> indexes, String comment) {
    /** How a comment of ours begins, so that no other is taken for JSON. */
    private static final String BEGIN = "{\"chunkroll\" : \"bulk load\"";

    private static final String IS_MARK = "starts_with(d.description, '" + BEGIN + "')";

    private static final String READ = "SELECT (j ->> 'loaded')::boolean, j ->> 'comment',"
            + " ARRAY(SELECT jsonb_array_elements_text(j -> 'indexes')) FROM (SELECT d.description::jsonb AS j"
            + " FROM pg_description d WHERE d.objoid = to_regclass(?) AND d.classoid = 'pg_class'::regclass AND d.objsubid = 0"
            + " AND " + IS_MARK + ") m";

    private static final String MARKED =
            "SELECT n.nspname, c.relname FROM pg_description d JOIN pg_class c ON c.oid = d.objoid"
                    + " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE d.classoid = 'pg_class'::regclass AND d.objsubid = 0"
                    + " AND " + IS_MARK + " AND d.description::jsonb ->> 'parent' IS NULL ORDER BY 1, 2";

    // The parent is looked up by its name, for it is not the same after a dump and a restore.
    private static final String PARTITIONS = """
            SELECT n.nspname, c.relname, d.description::jsonb ->> 'from', d.description::jsonb ->> 'to'
            FROM pg_description d JOIN pg_class c ON c.oid = d.objoid JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE d.classoid = 'pg_class'::regclass AND d.objsubid = 0 AND NOT c.relispartition AND IS_MARK
            AND to_regclass(d.description::jsonb ->> 'parent') = to_regclass(?) ORDER BY c.relname
            """.replace("IS_MARK", IS_MARK);

    /**
     * A partition that is not attached yet.
     *
     * @param from where its range begins, as SQL
     * @param to where it ends
     */
    record Partition(TableName name, String from, String to) {}

    /** That of the table, if it has one. */
    static Optional<BulkMark> read(Connection connection, TableName table) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(READ)) {
            statement.setString(1, table.sql());
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                String[] indexes = (String[]) row.getArray(3).getArray();
                return Optional.of(new BulkMark(row.getBoolean(1), List.of(indexes), row.getString(2)));
            }
        }
    }

    /** All tables of the database that have one. */
    static List<TableName> tables(Connection connection) throws SQLException {
        List<TableName> tables = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(MARKED)) {
            while (row.next()) {
                tables.add(new TableName(row.getString(1), row.getString(2)));
            }
        }
        return tables;
    }

    /** The partitions of the table that are not attached yet. */
    static List<Partition> partitions(Connection connection, TableName parent) throws SQLException {
        List<Partition> partitions = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(PARTITIONS)) {
            statement.setString(1, parent.sql());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    partitions.add(new Partition(
                            new TableName(row.getString(1), row.getString(2)), row.getString(3), row.getString(4)));
                }
            }
        }
        return partitions;
    }

    static void drop(Connection connection, List<Partition> partitions) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (Partition partition : partitions) {
                statement.execute("DROP TABLE " + partition.name().sql());
            }
        }
    }

    /** Makes this the table's comment. */
    void write(Connection connection, TableName table) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT json_build_object('chunkroll', 'bulk load', 'loaded', ?::boolean,"
                        + " 'indexes', to_json(?::text[]), 'comment', ?::text)::text")) {
            statement.setBoolean(1, loaded);
            statement.setArray(2, connection.createArrayOf("text", indexes.toArray()));
            statement.setString(3, comment);
            comment(connection, table, text(statement));
        }
    }

    /** Gives the table back the comment that it had. */
    void clear(Connection connection, TableName table) throws SQLException {
        comment(connection, table, comment);
    }

    /** Notes that the partition is to be attached, within the transaction that makes it. */
    static void write(Connection connection, TableName parent, Partition partition) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT json_build_object('chunkroll', 'bulk load',"
                        + " 'parent', ?::text, 'from', ?::text, 'to', ?::text)::text")) {
            statement.setString(1, parent.sql());
            statement.setString(2, partition.from());
            statement.setString(3, partition.to());
            comment(connection, partition.name(), text(statement));
        }
    }

    private static String text(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getString(1);
        }
    }

    static void comment(Connection connection, TableName table, String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "COMMENT ON TABLE " + table.sql() + " IS " + (text == null ? "NULL" : Identifiers.literal(text)));
        }
    }
}
