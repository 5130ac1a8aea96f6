package io.chunkroll.sinks.copy;

import static java.util.stream.Collectors.joining;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.sinks.table.TargetException;
import io.chunkroll.sinks.table.TargetTable;
import java.io.Serializable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.core.Parser;

/**
 * Which rows the server takes: those for which an SQL expression over the loaded columns is true. The others, also those for which it is
 * NULL, are left out by {@code COPY … WHERE}.
 *
 * @param expression the expression, or empty for all rows
 */
public record CopyFilter(String expression) implements Serializable {
    /** Takes every row. */
    public static final CopyFilter NONE = new CopyFilter("");

    private static final String TABLE = "pg_temp.chunkroll_filter";

    private static final String UNDEFINED_COLUMN = "42703";
    private static final String UNDEFINED_TABLE = "42P01";
    private static final String NOT_SUPPORTED = "0A000";

    /** Whether rows may be left out. */
    boolean leavesOut() {
        return !expression.isEmpty();
    }

    /** What follows the COPY's options. A comment at the expression's end does not reach the parenthesis. */
    String clause() {
        return leavesOut() ? " WHERE (" + expression + "\n)" : "";
    }

    /** Makes a table with the loaded columns and none of their constraints and defaults: all that an expression may look at. */
    static void createTable(Statement statement, String name, TargetTable table, TableDescription columns)
            throws SQLException {
        statement.execute(columns.columns().stream()
                .map(column -> table.quote(column.name()))
                .collect(joining(
                        ", ",
                        "CREATE TEMP TABLE " + name + " AS SELECT ",
                        " FROM " + table.name().sql() + " WITH NO DATA")));
    }

    /**
     * Lets the server look at the expression before a row is sent.
     *
     * @throws TargetException if it is none that COPY takes, or more than one expression
     */
    public void check(Connection connection, TargetTable table, TableDescription columns) throws SQLException {
        if (!leavesOut()) {
            return;
        }
        CopyStatement copy = new CopyStatement(TABLE, table, columns, this);
        if (Parser.parseJdbcSql(copy.sql(), true, false, true, false, false).size() != 1) {
            throw fault("it must be one expression, without a semicolon", null);
        }
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            createTable(statement, TABLE, table, columns);
            try {
                copy.plan(connection);
            } catch (SQLException e) {
                throw fault(
                        remedy(e, columns) + " (" + e.getMessage().strip().replaceAll("\\s*\\R\\s*", " | ") + ")", e);
            }
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private TargetException fault(String what, SQLException cause) {
        return new TargetException("sink.where \"" + expression + "\": " + what, cause);
    }

    private static String remedy(SQLException refusal, TableDescription columns) {
        return switch (refusal.getSQLState() == null ? "" : refusal.getSQLState()) {
            case UNDEFINED_COLUMN, UNDEFINED_TABLE ->
                "it may name the columns that are loaded, without the table's name before them: " + columns;
            case NOT_SUPPORTED ->
                "a COPY looks at each row alone, without subqueries; use a function of your own, or job.map";
            default -> "it must be a boolean expression of SQL, without aggregates and subqueries";
        };
    }
}
