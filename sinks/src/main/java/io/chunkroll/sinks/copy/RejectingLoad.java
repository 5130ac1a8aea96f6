package io.chunkroll.sinks.copy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Leaves out the rows that the server does not take and loads all others, within the transaction that is open: each attempt at a stretch
 * of rows has a savepoint to go back to. {@link RowSieve} decides what is tried.
 */
final class RejectingLoad implements BatchLoad {
    // Deferred constraints are checked with the rows that break them, and not in the commit, which could leave out
    // none.
    private static final String BEGIN = "SET CONSTRAINTS ALL IMMEDIATE; SAVEPOINT rows";
    private static final String NEXT = "RELEASE SAVEPOINT rows; SAVEPOINT rows";
    private static final String UNDO = "ROLLBACK TO SAVEPOINT rows";
    private static final String END = "RELEASE SAVEPOINT rows";

    private final RowsLoad rows;

    RejectingLoad(RowsLoad rows) {
        this.rows = rows;
    }

    @Override
    public Loaded load(Connection connection, Batch batch) throws SQLException {
        int[] order = rows.order(batch);
        RowSieve sieve = new RowSieve(batch.rows());
        Loaded loaded = Loaded.inserted(0);
        List<RefusedRow> refused = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            statement.execute(BEGIN);
            while (!sieve.isDone()) {
                try {
                    loaded = loaded.plus(rows.load(connection, batch, order, sieve.from(), sieve.to()));
                    sieve.loaded();
                    statement.execute(NEXT);
                } catch (SQLException e) {
                    if (!RetryPolicy.isRefusedRow(e)) {
                        throw e;
                    }
                    statement.execute(UNDO);
                    if (sieve.isSingle()) {
                        refused.add(RefusedRow.of(order[sieve.from()], e));
                        sieve.refused();
                    } else {
                        sieve.failed(RefusedRow.lineOf(e));
                    }
                }
            }
            statement.execute(END);
        }
        return loaded.without(refused);
    }
}
