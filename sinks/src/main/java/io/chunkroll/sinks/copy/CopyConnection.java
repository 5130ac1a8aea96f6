package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.table.ConnectionOptions;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The one connection of a writer or a committer, opened when it is needed. After any failure it is thrown away, never used again, and
 * the next use opens another.
 */
final class CopyConnection implements AutoCloseable {
    private final ConnectionOptions options;
    private final String purpose;

    /** Shared with the thread that closes a writer while its sender waits for the server. */
    private volatile Connection connection;

    private volatile boolean closed;

    /** @param purpose what the server shows of the connection, behind {@code chunkroll} */
    CopyConnection(ConnectionOptions options, String purpose) {
        this.options = options;
        this.purpose = purpose;
    }

    /** The connection, opened if there is none. */
    Connection open() throws SQLException {
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
