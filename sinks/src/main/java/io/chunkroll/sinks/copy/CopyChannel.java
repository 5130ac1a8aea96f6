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

    private static final String END_LEFT_OVER = """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE pid = ? AND backend_xid = ?::xid8::xid AND query <> 'COMMIT'
            """;

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
    /** The transaction begun last, until it is known to be committed. */
    private String transaction;

    private int backend;
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

    /** The connection, opened if there is none. */
    private Connection open() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = options.connect(purpose);
            connection = open;
        }
        // Looked at last: whoever closes meanwhile either finds the connection or is found here.
        if (closed) {
            discard();
            throw new SQLException("The writer is closed");
        }
        return open;
    }

    /**
     * Loads the batch in one transaction of its own; on return it is committed.
     *
     * @throws SQLException if it is not, or if that is not known: see {@link #isFateUnknown()}
     */
    void load(Batch batch) throws SQLException {
        commitSent = false;
        Connection open = open();
        if (transaction != null) {
            endLeftOver(open);
            transaction = null;
        }
        if (partitions != null) {
            partitions.ensure(open, batch.minTime(), batch.maxTime());
        }
        open.setAutoCommit(false);
        begin(open);
        copy(open, batch);
        commitSent = true;
        open.commit();
        open.setAutoCommit(true);
        transaction = null;
    }

    private void begin(Connection open) throws SQLException {
        try (Statement statement = open.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_current_xact_id()::text, pg_backend_pid()")) {
            row.next();
            transaction = row.getString(1);
            backend = row.getInt(2);
        }
    }

    /**
     * Ends the transaction of a connection that was lost on the way, of which the server may not know for hours: until then it holds its
     * locks. Does nothing if the server works at its commit.
     */
    private void endLeftOver(Connection open) throws SQLException {
        try (PreparedStatement statement = open.prepareStatement(END_LEFT_OVER)) {
            statement.setInt(1, backend);
            statement.setString(2, transaction);
            statement.executeQuery().close();
        }
    }

    private void copy(Connection open, Batch batch) throws SQLException {
        CopyIn copy = new CopyManager(open.unwrap(BaseConnection.class)).copyIn(copySql);
        try {
            format.write(batch, sorted ? batch.order() : batch.arrival(), copy);
            long stored = copy.endCopy();
            if (stored != batch.rows()) {
                throw new SQLException(
                        "COPY stored " + stored + " of " + batch.rows()
                                + " rows; a trigger or a rule of the table drops the others",
                        "P0001");
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

    /** Whether the last {@link #load} failed after its commit was sent. */
    boolean isFateUnknown() {
        return commitSent;
    }

    /** Asks what became of the transaction of the last {@link #load}; needs a connection that works. */
    Fate fate() throws SQLException {
        Connection open = open();
        endLeftOver(open);
        try (PreparedStatement statement = open.prepareStatement("SELECT pg_xact_status(?::xid8)")) {
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
