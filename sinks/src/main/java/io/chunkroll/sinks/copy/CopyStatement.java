package io.chunkroll.sinks.copy;

import static java.util.stream.Collectors.joining;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.sinks.table.TargetTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/** The COPY of one table: sends rows of a batch, in the format that their columns allow. */
final class CopyStatement {
    /** Said of rows that a trigger or a rule drops: nothing that passes by itself. */
    private static final String RAISE_EXCEPTION = "P0001";

    private static final String DATATYPE_MISMATCH = "42804";

    private final String sql;
    private final CopyFormat format;
    private final boolean filters;
    /** Finds a column that has another type than the rows are encoded for; empty where the server parses them. */
    private final String changed;

    /**
     * @param target the table to copy into, as SQL
     * @param table the table that the rows are for, which knows how to quote its columns
     * @param columns those that are loaded, in the order of the tuples
     * @param filter which of the rows the server takes
     */
    CopyStatement(String target, TargetTable table, TableDescription columns, CopyFilter filter) {
        filters = filter.leavesOut();
        format = columns.isBinary() ? new CopyFormat.Binary() : new CopyFormat.Text();
        sql = columns.columns().stream()
                        .map(column -> table.quote(column.name()))
                        .collect(joining(", ", "COPY " + target + " (", ") FROM STDIN"))
                + " (" + format.option() + ", ENCODING 'UTF8')" + filter.clause();
        changed = columns.isBinary() ? changed(target, columns) : "";
    }

    private static String changed(String target, TableDescription columns) {
        return columns.columns().stream()
                .map(column ->
                        "(" + literal(column.name()) + ", " + column.type().oid() + ")")
                .collect(joining(
                        ", ",
                        "SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM (VALUES ",
                        ") expected (name, type) JOIN pg_attribute a ON a.attrelid = to_regclass(" + literal(target)
                                + ") AND a.attname = expected.name JOIN pg_type t ON t.oid = a.atttypid"
                                + " WHERE t.oid::int <> expected.type AND t.typtype <> 'd' LIMIT 1"));
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    /**
     * Copies the rows {@code order[from]} to {@code order[to - 1]} within the connection's transaction.
     *
     * @return how many the server has stored: all of them, unless there is a filter
     * @throws SQLException if the server refuses them, or without a filter takes fewer than it was given
     */
    long copy(Connection connection, Batch batch, int[] order, int from, int to) throws SQLException {
        CopyIn copy = new CopyManager(connection.unwrap(BaseConnection.class)).copyIn(sql);
        long stored;
        try {
            format.write(batch, order, from, to, copy);
            stored = copy.endCopy();
            if (filters ? stored > to - from : stored != to - from) {
                throw new SQLException(
                        "COPY stored " + stored + " of " + (to - from)
                                + " rows; a trigger or a rule of the table drops the others",
                        RAISE_EXCEPTION);
            }
        } catch (SQLException e) {
            cancel(copy, e);
            throw e;
        }
        checkTypes(connection);
        return stored;
    }

    /** The statement's text. */
    String sql() {
        return sql;
    }

    /** Lets the server look at the statement, and sends no row; the connection's transaction is of no use then. */
    void plan(Connection connection) throws SQLException {
        CopyIn copy = new CopyManager(connection.unwrap(BaseConnection.class)).copyIn(sql);
        copy.cancelCopy();
    }

    /**
     * A double that is copied into a column which has become a bigint is another number, and the server cannot know. Asked after the
     * COPY, whose lock on the table keeps the types as they are until the transaction ends.
     */
    private void checkTypes(Connection connection) throws SQLException {
        if (changed.isEmpty()) {
            return;
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(changed)) {
            if (row.next()) {
                throw new SQLException(
                        "column \"" + row.getString(1) + "\" has become " + row.getString(2)
                                + " since the load began, and the rows are encoded for what it was; start the load again",
                        DATATYPE_MISMATCH);
            }
        }
    }

    /** So that the server drops the rows at once; if it cannot be told, losing the connection does it. */
    private static void cancel(CopyIn copy, SQLException reason) {
        if (copy.isActive()) {
            try {
                copy.cancelCopy();
            } catch (SQLException e) {
                reason.addSuppressed(e);
            }
        }
    }
}
