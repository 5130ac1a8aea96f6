package io.chunkroll.job.run;

import io.chunkroll.sinks.table.TargetException;
import io.chunkroll.sinks.transaction.PreparedTransaction;
import io.chunkroll.sinks.transaction.PreparedTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The prepared transactions that exactly-once runs of this machine leave when they are killed or fail. Nobody goes on from such a run's
 * checkpoints, so that no one but us would ever end them, and they hold the table's locks.
 *
 * @param target the server
 * @param prefix what the names of the run's transactions have in common; empty where it prepares none
 */
record Leftovers(Target target, Optional<String> prefix) {
    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

    /**
     * Rolls back what earlier runs left.
     *
     * @throws TargetException if a run with the same prefix is going on: each would roll back the other's rows
     */
    void clearBefore() throws SQLException {
        if (prefix.isEmpty()) {
            return;
        }
        try (Connection connection = target.connect("setup")) {
            List<Integer> writers = PreparedTransactions.liveWriters(connection, prefix.get());
            if (!writers.isEmpty()) {
                throw new TargetException("A load with the transaction prefix " + prefix.get() + " is running already"
                        + " (backends " + writers + " of the server): wait for its end, or set"
                        + " sink.transaction-prefix to another name");
            }
            rollBack(connection);
        }
    }

    /** Rolls back what this run left, which is over and did not come to its end. */
    void clearAfter() {
        if (prefix.isEmpty()) {
            return;
        }
        try (Connection connection = target.connect("setup")) {
            rollBack(connection);
        } catch (SQLException e) {
            LOG.warn(
                    "Prepared transactions of the run may be left, and hold locks: 'chunkroll leftovers' shows them ({})",
                    e.getMessage());
        }
    }

    private void rollBack(Connection connection) throws SQLException {
        for (PreparedTransaction left : PreparedTransactions.list(connection, prefix.orElseThrow())) {
            PreparedTransactions.rollBack(connection, left.id());
        }
    }
}
