package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.table.ConnectionOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Makes the chunks or partitions that a batch needs before it is sent, each in a short transaction of its own: the transaction that makes
 * one holds up every other writer that needs a new one, and must not be one that stays open.
 */
interface ChunkMaker {
    /** Where there are none to be made, or the server makes them on the way. */
    ChunkMaker NONE = batch -> {};

    /** On return the server has what the batch's rows need. The batch's own transaction plays no part in it. */
    void makeFor(Batch batch) throws SQLException;

    /**
     * A connection for making chunks. It waits for locks, and holds its own, no longer than half a minute: one whose client is gone without
     * a word would hold up every writer that needs a chunk.
     */
    static Connection connect(ConnectionOptions options, String purpose) throws SQLException {
        Connection connection = options.connect(purpose);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET lock_timeout = '30s'; SET idle_in_transaction_session_timeout = '30s'");
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }
}
