package io.chunkroll.sinks.copy;

import static java.util.stream.Collectors.joining;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.PartitionMaker;
import io.chunkroll.sinks.table.TargetTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/**
 * One connection, and on it one transaction a batch: begin, COPY, commit.
 *
 * <p>After any failure the connection is thrown away, never used again. If the failure came after the commit was sent,
 * {@link #fate()} asks on a new connection what became of it.
 */
final class CopyChannel implements AutoCloseable {

    /** What became of a transaction whose commit got no answer. */
    enum Fate {
        COMMITTED,
        /** Aborted, or never known to the server. */
        LOST,
        /** The server still works at it: ask again. */
        OPEN
    }

    // What the server says to a transaction id that it has not given out yet: a crash forgot the transaction.
    private static final String INVALID_PARAMETER_VALUE = "22023";

    private final ConnectionOptions options;
    private final String purpose;
    private final String copySql;
    private final CopyFormat format;
    private final boolean sorted;
    private final PartitionMaker partitions;

    /** Shared with the thread that closes a writer while its sender waits for the server. */
    private volatile Connection connection;

    private volatile boolean closed;
    private String transaction;
    private boolean commitSent;

    /** @param partitions makes partitions ahead of each batch, or null where there are none to be made */
    CopyChannel(
            CopyOptions options,
            TargetTable table,
            TableDescription columns,
            PartitionMaker partitions,
            String purpose) {
        this.options = options.connection();
        this.purpose = purpose;
        this.partitions = partitions;
        sorted = options.sorted();
        format = columns.isBinary() ? new CopyFormat.Binary() : new CopyFormat.Text();
        copySql = columns.columns().stream()
                        .map(column -> table.quote(column.name()))
                        .collect(joining(", ", "COPY " + table.name().sql() + " (", ") FROM STDIN"))
                + " (" + format.option() + ", ENCODING 'UTF8')";
    }

    /** Opens the connection if there is none. */
    void open() throws SQLException {
        if (closed) {
            throw new SQLException("The writer is closed");
        }
        if (connection == null) {
            connection = options.connect(purpose);
        }
    }

    /**
     * Loads the batch in one transaction of its own; on return it is committed.
     *
     * @throws SQLException if it is not, or if that is not known: see {@link #isFateUnknown()}
     */
    void load(Batch batch) throws SQLException {
        commitSent = false;
        open();
        if (partitions != null) {
            partitions.ensure(connection, batch.minTime(), batch.maxTime());
        }
        connection.setAutoCommit(false);
        transaction = currentTransaction();
        copy(batch);
        commitSent = true;
        connection.commit();
        commitSent = false;
        connection.setAutoCommit(true);
    }

    private String currentTransaction() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_current_xact_id()::text")) {
            row.next();
            return row.getString(1);
        }
    }

    private void copy(Batch batch) throws SQLException {
        CopyIn copy = new CopyManager(connection.unwrap(BaseConnection.class)).copyIn(copySql);
        try {
            format.write(batch, sorted ? batch.order() : batch.arrival(), copy);
            long stored = copy.endCopy();
            if (stored != batch.rows()) {
                throw new SQLException(
                        "COPY stored " + stored + " of " + batch.rows()
                                + " rows; a trigger or a rule of the table drops the others",
                        "P0001");
            }
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
    }

    /** Whether the last {@link #load} failed after its commit was sent. */
    boolean isFateUnknown() {
        return commitSent;
    }

    /** Asks what became of the transaction of the last {@link #load}; needs a connection that works. */
    Fate fate() throws SQLException {
        open();
        try (PreparedStatement statement = connection.prepareStatement("SELECT pg_xact_status(?::xid8)")) {
            statement.setString(1, transaction);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                String status = row.getString(1);
                if (status == null) {
                    throw new SQLException("The server no longer knows what became of transaction " + transaction
                            + ": whether its batch is in the table must be found out by hand");
                }
                return switch (status) {
                    case "committed" -> Fate.COMMITTED;
                    case "aborted" -> Fate.LOST;
                    default -> Fate.OPEN;
                };
            }
        } catch (SQLException e) {
            if (INVALID_PARAMETER_VALUE.equals(e.getSQLState())) {
                return Fate.LOST;
            }
            throw e;
        }
    }

    /** Throws the connection away, without a word to a server that may not be there. */
    void discard() {
        Connection broken = connection;
        connection = null;
        if (broken != null) {
            try {
                broken.abort(Runnable::run);
            } catch (SQLException e) {
                // It is gone either way.
            }
        }
    }

    /** Ends the connection at once; whatever waits on it fails. May be called by any thread. */
    @Override
    public void close() {
        closed = true;
        discard();
    }
}
