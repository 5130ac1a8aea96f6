package io.chunkroll.sinks.copy;

import java.sql.Connection;
import java.sql.SQLException;

/** How a batch's rows get into the table, within the transaction that the connection has open. */
interface BatchLoad {

    /**
     * Loads the batch; whoever opened the transaction commits it.
     *
     * @throws SQLException if the server does not take the batch; the transaction is then of no use any more
     */
    Loaded load(Connection connection, Batch batch) throws SQLException;

    /** All rows at once: one that the server does not take fails the batch. */
    static BatchLoad allOf(RowsLoad rows) {
        return (connection, batch) -> rows.load(connection, batch, rows.order(batch), 0, batch.rows());
    }

    /** The same after the chunks are made that the batch needs, over another connection. */
    default BatchLoad after(ChunkMaker chunks) {
        return (connection, batch) -> {
            chunks.makeFor(batch);
            return load(connection, batch);
        };
    }
}
