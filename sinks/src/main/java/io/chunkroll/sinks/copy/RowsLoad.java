package io.chunkroll.sinks.copy;

import java.sql.Connection;
import java.sql.SQLException;

/** How some of a batch's rows get into the table, within the transaction that the connection has open. */
interface RowsLoad {

    /** The order in which the batch's rows are best loaded. */
    int[] order(Batch batch);

    /**
     * Loads the rows {@code order[from]} to {@code order[to - 1]}, all of them or none.
     *
     * @throws SQLException if the server does not take them; the transaction is then of no use any more, unless it has a savepoint
     */
    Loaded load(Connection connection, Batch batch, int[] order, int from, int to) throws SQLException;

    /** By one COPY straight into the table. */
    static RowsLoad direct(CopyStatement statement, boolean sorted) {
        return new RowsLoad() {
            @Override
            public int[] order(Batch batch) {
                return sorted ? batch.order() : batch.arrival();
            }

            @Override
            public Loaded load(Connection connection, Batch batch, int[] order, int from, int to) throws SQLException {
                long stored = statement.copy(connection, batch, order, from, to);
                return Loaded.inserted(stored).withFiltered(to - from - stored);
            }
        };
    }
}
