package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.metrics.SinkMetrics;
import io.chunkroll.sinks.table.TargetTable;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings one batch at a time into the table, whatever the connection does meanwhile. Runs on the writer's sending thread. */
final class BatchSender implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BatchSender.class);

    private final CopyChannel channel;
    private final RetryPolicy retries;
    private final SinkMetrics metrics;
    private final TargetTable table;
    private final int subtask;
    private RefusedRows refused;

    BatchSender(CopyChannel channel, RetryPolicy retries, SinkMetrics metrics, TargetTable table, int subtask) {
        this.channel = channel;
        this.retries = retries;
        this.metrics = metrics;
        this.table = table;
        this.subtask = subtask;
    }

    /** Tells of rows that a committed batch left out. */
    BatchSender telling(RefusedRows rows) {
        refused = rows;
        return this;
    }

    /**
     * Loads and commits the batch, and counts it then.
     *
     * @throws CopyException if the server refuses it, or stays away for longer than the retry policy waits
     */
    void send(Batch batch) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        long firstFailure = 0;
        int attempt = 0;
        while (true) {
            try {
                if (attempt == 0 || !hasBeenCommitted()) {
                    channel.load(batch);
                }
                metrics.committed(channel.loaded().inserted(), batch.size(), System.nanoTime() - begin);
                if (refused != null) {
                    refused.note(batch, channel.loaded());
                }
                return;
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
                LOG.warn("Attempt {} at {} failed and is made again: {}", attempt, describe(batch), e.getMessage());
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
        return CopyException.of("COPY of " + describe(batch) + " failed" + tried + ": " + e.getMessage(), e);
    }

    private String describe(Batch batch) {
        String times = batch.minTime() > batch.maxTime()
                ? ""
                : ", times " + instant(batch.minTime()) + " to " + instant(batch.maxTime());
        return "batch " + batch.number() + " of subtask " + subtask + " into table " + table.name() + " ("
                + batch.rows() + " rows, " + batch.size() + " bytes" + times + ")";
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** Breaks whatever {@link #send} waits for. Called by another thread. */
    @Override
    public void close() {
        metrics.close();
        channel.close();
    }
}
