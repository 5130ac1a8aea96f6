package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.TimeRanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Makes the chunks or partitions that a batch needs before it is sent, each in a short transaction of its own: the transaction that makes
 * one holds up every other writer that needs a new one, and must not be one that stays open.
 */
interface ChunkMaker {
    /** Where there are none to be made, or the server makes them on the way. */
    ChunkMaker NONE = (open, batch) -> List.of();

    /**
     * On return the server has what the batch's rows need, but for those returned.
     *
     * @param open has the batch's own transaction, in which nothing is made
     * @return rows that the server refuses, so that they could make no chunk: they must not be loaded, nor need they be
     */
    List<RefusedRow> makeFor(Connection open, Batch batch) throws SQLException;

    /** What is known to be there. Whoever finds that it is not clears it, and it is asked for again. */
    default TimeRanges known() {
        return new TimeRanges();
    }

    /** The batches that come are of another transaction. */
    default void transactionBegins() {}

    /**
     * Whether the failure says that what was known to be there is there no more, and the batch is worth another attempt, before which
     * {@link #makeFor} makes it again. True no more than once a batch.
     */
    default boolean isOutdated(Batch batch, SQLException failure) {
        return false;
    }

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
