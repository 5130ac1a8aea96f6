package io.chunkroll.sinks.copy;

import static java.util.stream.Collectors.joining;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.sinks.table.TargetTable;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/** The COPY of one table: sends rows of a batch, in the format that their columns allow. */
final class CopyStatement {
    /** Said of rows that a trigger or a rule drops: nothing that passes by itself. */
    private static final String RAISE_EXCEPTION = "P0001";

    private final String sql;
    private final CopyFormat format;

    /**
     * @param target the table to copy into, as SQL
     * @param table the table that the rows are for, which knows how to quote its columns
     * @param columns those that are loaded, in the order of the tuples
     */
    CopyStatement(String target, TargetTable table, TableDescription columns) {
        format = columns.isBinary() ? new CopyFormat.Binary() : new CopyFormat.Text();
        sql = columns.columns().stream()
                        .map(column -> table.quote(column.name()))
                        .collect(joining(", ", "COPY " + target + " (", ") FROM STDIN"))
                + " (" + format.option() + ", ENCODING 'UTF8')";
    }

    /**
     * Copies the rows {@code order[from]} to {@code order[to - 1]} within the connection's transaction.
     *
     * @throws SQLException if the server refuses them, or takes fewer than it was given
     */
    void copy(Connection connection, Batch batch, int[] order, int from, int to) throws SQLException {
        CopyIn copy = new CopyManager(connection.unwrap(BaseConnection.class)).copyIn(sql);
        try {
            format.write(batch, order, from, to, copy);
            long stored = copy.endCopy();
            if (stored != to - from) {
                throw new SQLException(
                        "COPY stored " + stored + " of " + (to - from)
                                + " rows; a trigger or a rule of the table drops the others",
                        RAISE_EXCEPTION);
            }
        } catch (SQLException e) {
            cancel(copy, e);
            throw e;
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
