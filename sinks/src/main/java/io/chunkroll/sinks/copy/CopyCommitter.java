package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.copy.CopyCommittable.Prepared;
import io.chunkroll.sinks.copy.CopyCommittable.Rejects;
import io.chunkroll.sinks.metrics.CommitMetrics;
import io.chunkroll.sinks.reject.PendingRejects;
import io.chunkroll.sinks.reject.RejectFolder;
import io.chunkroll.sinks.table.TargetException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.sink2.Committer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits prepared transactions and publishes rejects whose checkpoint is complete. Transactions as often as it takes: a lost connection or a restart of the server does not
 * touch them. One that has no name any more has ended, and the server tells by its number how.
 */
final class CopyCommitter implements Committer<CopyCommittable> {
    private static final Logger LOG = LoggerFactory.getLogger(CopyCommitter.class);

    private static final String UNDEFINED_OBJECT = "42704";
    /** Another backend is just committing it: ours, whose connection we lost. */
    private static final String BUSY = "55000";

    private final CopyConnection connection;
    private final RetryPolicy retries;
    private final CommitMetrics metrics;
    private final OptionalLong restoredCheckpoint;
    private final Optional<RejectFolder> folder;

    /** @param folder where rejects are published, for their limit; empty where rows are not left out */
    CopyCommitter(
            CopyConnection connection,
            RetryPolicy retries,
            CommitMetrics metrics,
            OptionalLong restoredCheckpoint,
            Optional<RejectFolder> folder) {
        this.connection = connection;
        this.retries = retries;
        this.metrics = metrics;
        this.restoredCheckpoint = restoredCheckpoint;
        this.folder = folder;
    }

    @Override
    public void commit(Collection<CommitRequest<CopyCommittable>> requests) throws IOException, InterruptedException {
        List<PendingRejects> rejects = new ArrayList<>();
        for (CommitRequest<CopyCommittable> request : requests) {
            if (request.getCommittable() instanceof Prepared prepared) {
                commit(request, prepared);
            } else if (request.getCommittable() instanceof Rejects left) {
                rejects.add(left.file());
            }
        }
        // Last, so that no transaction stays behind when a file is missing or there are too many.
        for (PendingRejects file : rejects) {
            file.publish();
        }
        if (!rejects.isEmpty() && folder.isPresent()) {
            folder.get().checkLimit(rejects.get(rejects.size() - 1));
        }
    }

    private void commit(CommitRequest<CopyCommittable> request, Prepared prepared)
            throws CopyException, InterruptedException {
        if (!commit(prepared)) {
            request.signalAlreadyCommitted();
        }
        // What the restored checkpoint holds, the writers have counted when they were restored.
        if (prepared.transaction().isAfter(restoredCheckpoint)) {
            metrics.committed(prepared.rows(), prepared.bytes());
        }
    }

    /** Returns on success: whether the transaction was still to be committed. */
    private boolean commit(Prepared committable) throws CopyException, InterruptedException {
        long begin = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            try {
                Connection open = connection.open();
                retries.limitWaiting(open);
                return tryToCommit(open, committable);
            } catch (SQLException e) {
                connection.discard();
                boolean passes = RetryPolicy.isTransient(e) || BUSY.equals(e.getSQLState());
                if (!passes || !retries.allows(System.nanoTime() - begin)) {
                    throw CopyException.of(
                            "COMMIT PREPARED of " + committable.transaction() + " (" + committable.rows()
                                    + " rows) failed after " + attempt + " attempts: " + e.getMessage(),
                            e);
                }
                metrics.retried();
                LOG.warn(
                        "Attempt {} to commit {} failed and is made again: {}",
                        attempt,
                        committable.transaction(),
                        e.getMessage());
                TimeUnit.MILLISECONDS.sleep(RetryPolicy.pauseMillis(attempt));
            }
        }
    }

    private static boolean tryToCommit(Connection open, Prepared committable) throws SQLException {
        try (Statement statement = open.createStatement()) {
            statement.execute("COMMIT PREPARED '" + committable.transaction().gid() + "'");
            return true;
        } catch (SQLException e) {
            if (!UNDEFINED_OBJECT.equals(e.getSQLState())) {
                throw e;
            }
        }
        checkCommitted(open, committable);
        return false;
    }

    /** The transaction has ended before: asks the server how. */
    private static void checkCommitted(Connection open, Prepared committable) throws SQLException {
        String status;
        try (PreparedStatement statement = open.prepareStatement("SELECT pg_xact_status(?::xid8)")) {
            statement.setString(1, committable.xid());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                status = row.getString(1);
            }
        }
        if (status == null) {
            throw new TargetException(
                    "The server no longer knows how the prepared transaction "
                            + committable.transaction() + " ended, so long ago was that: whether its "
                            + committable.rows()
                            + " rows are in the table must be found out by hand. Go on from a newer checkpoint, or load the rows again");
        } else if (status.equals("in progress")) {
            throw new SQLException("the server is just ending it", BUSY);
        } else if (!status.equals("committed")) {
            throw new TargetException("The prepared transaction " + committable.transaction() + ", which holds "
                    + committable.rows() + " rows of a completed checkpoint, was rolled back by somebody else:"
                    + " the rows are lost. Restore an earlier checkpoint, or load them again");
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
