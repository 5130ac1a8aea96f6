package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.metrics.SinkMetrics;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Commits each batch by itself, whatever the connection does meanwhile. */
final class BatchSender implements Sender {
    private static final Logger LOG = LoggerFactory.getLogger(BatchSender.class);

    private final CopyChannel channel;
    private final RetryPolicy retries;
    private final SinkMetrics metrics;
    private final BatchNames names;

    BatchSender(CopyChannel channel, RetryPolicy retries, SinkMetrics metrics, BatchNames names) {
        this.channel = channel;
        this.retries = retries;
        this.metrics = metrics;
        this.names = names;
    }

    /** Loads and commits the batch, and counts it then. */
    @Override
    public Loaded send(Batch batch) throws CopyException, InterruptedException {
        long begin = System.nanoTime();
        long firstFailure = 0;
        int attempt = 0;
        while (true) {
            try {
                if (attempt == 0 || !hasBeenCommitted()) {
                    channel.load(batch);
                }
                Loaded loaded = channel.loaded();
                metrics.committed(loaded.rows(), loaded.bytesOf(batch), System.nanoTime() - begin);
                metrics.conflicted(loaded.skipped(), loaded.replaced());
                metrics.filtered(loaded.filtered());
                return loaded;
            } catch (SQLException e) {
                channel.discard();
                long now = System.nanoTime();
                firstFailure = attempt == 0 ? now : firstFailure;
                attempt++;
                if (!RetryPolicy.isTransient(e) || !retries.allows(now - firstFailure)) {
                    metrics.failed(batch.rows());
                    throw failure(batch, attempt, e);
                }
                metrics.retried();
                LOG.warn("Attempt {} at {} failed and is made again: {}", attempt, names.of(batch), e.getMessage());
                TimeUnit.MILLISECONDS.sleep(RetryPolicy.pauseMillis(attempt));
            }
        }
    }

    /** After a failure: whether the commit that got no answer took place all the same. */
    private boolean hasBeenCommitted() throws SQLException, InterruptedException {
        if (!channel.isFateUnknown()) {
            return false;
        }
        long begin = System.nanoTime();
        for (int asked = 1; ; asked++) {
            CopyChannel.Fate fate = channel.fate();
            if (fate != CopyChannel.Fate.OPEN) {
                LOG.info("The commit that got no answer is {}", fate);
                return fate == CopyChannel.Fate.COMMITTED;
            }
            if (!retries.allows(System.nanoTime() - begin)) {
                throw new SQLException("the server has not finished its commit yet: whether it is in the table must be"
                        + " found out by hand");
            }
            TimeUnit.MILLISECONDS.sleep(RetryPolicy.pauseMillis(asked));
        }
    }

    private CopyException failure(Batch batch, int attempts, SQLException e) {
        String tried = attempts > 1 ? " after " + attempts + " attempts" : "";
        return CopyException.of("COPY of " + names.of(batch) + " failed" + tried + ": " + e.getMessage(), e);
    }

    @Override
    public void ended() {
        metrics.ended();
    }

    @Override
    public void close() {
        channel.close();
        metrics.close();
    }
}
