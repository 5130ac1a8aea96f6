package io.chunkroll.sinks.copy;

import java.sql.Connection;
import java.sql.SQLException;

/** How a batch's rows get into the table, within the transaction that the connection has open. */
interface BatchLoad {

    /** Makes what the session needs, if it has not got it. Called before each transaction, while none is open. */
    default void prepare(Connection connection) throws SQLException {}

    /**
     * Loads the batch; whoever opened the transaction commits it.
     *
     * @throws SQLException if the server does not take the batch; the transaction is then of no use any more
     */
    Loaded load(Connection connection, Batch batch) throws SQLException;

    /** All rows by one COPY straight into the table. */
    static BatchLoad direct(CopyStatement statement, boolean sorted) {
        return (connection, batch) -> {
            statement.copy(connection, batch, sorted ? batch.order() : batch.arrival(), 0, batch.rows());
            return Loaded.inserted(batch.rows());
        };
    }
}
