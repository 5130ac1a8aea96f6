package io.chunkroll.sinks.copy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

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

    private final CopyConnection connection;
    private final BatchLoad rows;

    /** The transaction begun last, until it is known to be committed. */
    private String transaction;

    private int backend;
    private Loaded loaded;
    private boolean commitSent;

    CopyChannel(CopyConnection connection, BatchLoad rows) {
        this.connection = connection;
        this.rows = rows;
    }

    /**
     * Loads the batch in one transaction of its own; on return it is committed.
     *
     * @throws SQLException if it is not, or if that is not known: see {@link #isFateUnknown()}
     */
    void load(Batch batch) throws SQLException {
        commitSent = false;
        Connection open = connection.open();
        if (transaction != null) {
            endLeftOver(open);
            transaction = null;
        }
        open.setAutoCommit(false);
        begin(open);
        loaded = rows.load(open, batch);
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

    /** What the last {@link #load} did, once that is known to be committed. */
    Loaded loaded() {
        return loaded;
    }

    /** Whether the last {@link #load} failed after its commit was sent. */
    boolean isFateUnknown() {
        return commitSent;
    }

    /** Asks what became of the transaction of the last {@link #load}; needs a connection that works. */
    Fate fate() throws SQLException {
        Connection open = connection.open();
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

    /** Throws the connection away after a failure. */
    void discard() {
        connection.discard();
    }

    /** Ends the connection at once; whatever waits on it fails. May be called by any thread. */
    @Override
    public void close() {
        connection.close();
    }
}
