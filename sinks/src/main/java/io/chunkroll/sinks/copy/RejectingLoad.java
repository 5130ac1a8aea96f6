package io.chunkroll.sinks.copy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

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
    private final ChunkMaker chunks;

    /** @param chunks makes what a batch needs first, and tells of rows that are refused already then */
    RejectingLoad(RowsLoad rows, ChunkMaker chunks) {
        this.rows = rows;
        this.chunks = chunks;
    }

    @Override
    public void transactionBegins() {
        chunks.transactionBegins();
    }

    @Override
    public Loaded load(Connection connection, Batch batch) throws SQLException {
        List<RefusedRow> refused = new ArrayList<>(chunks.makeFor(connection, batch));
        int[] order = rows.order(batch);
        RowSieve sieve = new RowSieve(leaveOut(refused, order, batch.rows()));
        Loaded loaded = Loaded.inserted(0);
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
                    if (chunks.isOutdated(batch, e)) {
                        chunks.makeFor(connection, batch);
                    } else if (sieve.isSingle()) {
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

    /** Closes up the order without the rows that are refused; returns how many are left. */
    private static int leaveOut(List<RefusedRow> refused, int[] order, int count) {
        if (refused.isEmpty()) {
            return count;
        }
        Set<Integer> out = refused.stream().map(RefusedRow::row).collect(Collectors.toSet());
        int left = 0;
        for (int i = 0; i < count; i++) {
            if (!out.contains(order[i])) {
                order[left++] = order[i];
            }
        }
        return left;
    }
}
