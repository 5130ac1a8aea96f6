package io.chunkroll.sinks.copy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;

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

    /** The batches that come are of another transaction. */
    default void transactionBegins() {}

    /** The same after the chunks are made that the batch needs, over another connection; for a load that leaves out no rows. */
    default BatchLoad after(ChunkMaker chunks) {
        BatchLoad load = this;
        return new BatchLoad() {
            @Override
            public Loaded load(Connection connection, Batch batch) throws SQLException {
                chunks.makeFor(connection, batch);
                try {
                    return load.load(connection, batch);
                } catch (SQLException e) {
                    // The transaction is lost, as after any other conflict with somebody else's; another makes it anew.
                    throw chunks.isOutdated(batch, e)
                            ? new SQLTransactionRollbackException(e.getMessage(), "40001", e)
                            : e;
                }
            }

            @Override
            public void transactionBegins() {
                chunks.transactionBegins();
            }
        };
    }
}
