package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.metrics.SinkMetrics;
import io.chunkroll.sinks.transaction.TransactionId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies batches into one transaction from checkpoint to checkpoint, and prepares it then.
 *
 * <p>A transaction does not outlive its connection: if that is lost, so are the batches in it, and the job must go on from its last
 * checkpoint. Only the first batch of a transaction is tried again.
 */
final class TransactionSender implements Sender {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionSender.class);

    private final CopyConnection connection;
    private final BatchLoad load;
    private final RetryPolicy retries;
    private final SinkMetrics metrics;
    private final BatchNames names;

    /** The server's number of the open transaction, or null if none is open. */
    private String xid;

    private long rows;
    private long bytes;

    TransactionSender(
            CopyConnection connection, BatchLoad load, RetryPolicy retries, SinkMetrics metrics, BatchNames names) {
        this.connection = connection;
        this.load = load;
        this.retries = retries;
        this.metrics = metrics;
        this.names = names;
    }

    @Override
    public Loaded send(Batch batch) throws CopyException, InterruptedException {
        long begin = System.nanoTime();
        long firstFailure = 0;
        for (int attempt = 1; ; attempt++) {
            try {
                Connection open = connection.open();
                if (xid == null) {
                    begin(open);
                }
                Loaded loaded = load.load(open, batch);
                rows += loaded.inserted();
                bytes += loaded.bytesOf(batch);
                metrics.flushed(loaded.inserted(), loaded.bytesOf(batch), System.nanoTime() - begin);
                metrics.filtered(loaded.filtered());
                return loaded;
            } catch (SQLException e) {
                abandon();
                long now = System.nanoTime();
                firstFailure = attempt == 1 ? now : firstFailure;
                if (rows > 0 || !RetryPolicy.isTransient(e) || !retries.allows(now - firstFailure)) {
                    metrics.failed(batch.rows());
                    throw failure("COPY of " + names.of(batch) + " failed", e);
                }
                metrics.retried();
                LOG.warn("Attempt {} at {} failed and is made again: {}", attempt, names.of(batch), e.getMessage());
                TimeUnit.MILLISECONDS.sleep(RetryPolicy.pauseMillis(attempt));
            }
        }
    }

    private void begin(Connection open) throws SQLException {
        load.transactionBegins();
        open.setAutoCommit(false);
        try (Statement statement = open.createStatement()) {
            // It is idle between two batches, and must not wait for ever for a row that another open transaction holds.
            statement.execute("SET LOCAL idle_in_transaction_session_timeout = 0");
            statement.execute("SET LOCAL lock_timeout = " + retries.patience().toMillis());
            try (ResultSet row = statement.executeQuery("SELECT pg_current_xact_id()::text")) {
                row.next();
                xid = row.getString(1);
            }
        }
    }

    private void abandon() {
        connection.discard();
        xid = null;
    }

    private CopyException failure(String what, SQLException e) {
        String lost = rows == 0 ? "" : "; the " + rows + " rows before it in the transaction come again";
        return CopyException.of(what + ": " + e.getMessage() + lost, e);
    }

    /**
     * Prepares the transaction, so that it outlives the connection and the server; empty if there is none. Called while nothing is being
     * sent.
     *
     * @throws CopyException if that fails; the rows are lost unless the job goes on from its last checkpoint
     */
    Optional<CopyCommittable.Prepared> prepare(TransactionId id) throws CopyException {
        if (xid == null) {
            return Optional.empty();
        }
        try {
            Connection open = connection.open();
            int patienceOfBatches = open.getNetworkTimeout();
            retries.limitWaiting(open);
            try (Statement statement = open.createStatement()) {
                statement.execute("PREPARE TRANSACTION '" + id.gid() + "'");
            }
            open.setNetworkTimeout(Runnable::run, patienceOfBatches);
            open.setAutoCommit(true);
        } catch (SQLException e) {
            abandon();
            throw failure("PREPARE TRANSACTION for table " + names.table() + " failed", e);
        }
        CopyCommittable.Prepared prepared = new CopyCommittable.Prepared(id, xid, rows, bytes);
        xid = null;
        rows = 0;
        bytes = 0;
        return Optional.of(prepared);
    }

    @Override
    public void ended() {
        metrics.ended();
    }

    @Override
    public void close() {
        connection.close();
        metrics.close();
    }
}
