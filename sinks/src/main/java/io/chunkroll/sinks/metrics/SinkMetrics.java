package io.chunkroll.sinks.metrics;

import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.TableWatch;
import io.chunkroll.sinks.table.TargetTable;
import java.util.Optional;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;

/**
 * The metrics of one sink writer. {@link #COMMITTED_ROWS} and what goes with it count after the commit, so that a curve of them shows
 * rows that a reader of the table could see.
 *
 * <p>{@code numRecordsSend}, {@code numBytesSend}, {@code numRecordsSendErrors} and {@code currentSendTime} are FLIP-33's: what the server
 * has taken, which in exactly-once mode is committed later. Flink's {@code numRecordsOut} of a sink writer is the same counter as
 * {@code numRecordsSend}, so that is never touched.
 */
public final class SinkMetrics implements AutoCloseable {
    /** Rows committed, also by the committer. */
    public static final String COMMITTED_ROWS = "committedRows";
    /** Their encoded bytes. */
    public static final String COMMITTED_BYTES = "committedBytes";
    /** Batches sent: committed, or in exactly-once mode copied into the open transaction. */
    public static final String FLUSHES = "flushes";
    /** Attempts that had to be made again: lost connections, deadlocks, restarting servers. */
    public static final String RETRIES = "retries";
    /** Rows left out because their key was there already; among those committed. */
    public static final String SKIPPED = "rowsSkipped";
    /** Rows that took the place of another; among those committed. */
    public static final String REPLACED = "rowsReplaced";
    /** Rows left out because they pass no filter; not among those committed. Also of the operator that maps rows. */
    public static final String FILTERED = "rowsFiltered";
    /** Microseconds from the start of a batch's sending to its commit (exactly-once: to the end of its COPY), as a histogram. */
    public static final String FLUSH_LATENCY = "flushLatencyMicros";
    /** The same histogram as text, for those who can read metrics only one by one and want to add them up: {@link LatencyHistogram#decoded}. */
    public static final String FLUSH_LATENCY_TEXT = "flushLatencyHistogram";
    /** Rows in the batch that was sent last. */
    public static final String BATCH_ROWS = "batchRows";
    /** When the last commit was, in milliseconds since 1970; 0 before the first. */
    public static final String LAST_COMMIT_TIME = "lastCommitTime";

    private final SinkWriterMetricGroup group;
    private final Counter sentRows;
    private final Counter sentBytes;
    private final Counter committedRows;
    private final Counter committedBytes;
    private final Counter errors;
    private final Counter flushes;
    private final Counter retries;
    private final Counter skipped;
    private final Counter replaced;
    private final Counter filtered;
    private final LatencyHistogram latency;
    private final LastLook lastLook = new LastLook();
    private boolean ended;
    private volatile long batchRows;
    private volatile long lastMillis;
    private volatile long lastCommitTime;
    private Optional<TableWatch> watch = Optional.empty();

    public SinkMetrics(SinkWriterMetricGroup group) {
        this.group = group;
        sentRows = group.getNumRecordsSendCounter();
        sentBytes = group.getNumBytesSendCounter();
        committedRows = group.counter(COMMITTED_ROWS);
        committedBytes = group.counter(COMMITTED_BYTES);
        errors = group.getNumRecordsSendErrorsCounter();
        flushes = group.counter(FLUSHES);
        retries = group.counter(RETRIES);
        skipped = group.counter(SKIPPED);
        replaced = group.counter(REPLACED);
        filtered = group.counter(FILTERED);
        latency = group.histogram(FLUSH_LATENCY, new LatencyHistogram());
        group.gauge(FLUSH_LATENCY_TEXT, this::latencyText);
        group.gauge(BATCH_ROWS, () -> batchRows);
        group.gauge(LAST_COMMIT_TIME, () -> lastCommitTime);
        group.setCurrentSendTimeGauge(() -> lastMillis);
    }

    /** Shows how the table and its server are, too, if this is the subtask that does so for all. */
    public SinkMetrics watching(ConnectionOptions server, TargetTable table, int subtask) {
        watch = TableWatch.start(server, table, subtask, group);
        return this;
    }

    /** A batch is committed. Called by one thread at a time. */
    public void committed(long batchRowCount, long batchBytes, long nanos) {
        flushed(batchRowCount, batchBytes, nanos);
        settled(batchRowCount, batchBytes);
    }

    /** A batch is in an open transaction, whose rows {@link CommitMetrics} counts when it is committed. */
    public void flushed(long batchRowCount, long batchBytes, long nanos) {
        sent(batchRowCount, batchBytes);
        flushes.inc();
        latency.update(nanos / 1_000);
        batchRows = batchRowCount;
        lastMillis = nanos / 1_000_000;
    }

    /** The job goes on from a checkpoint, with which these rows were committed. */
    public void restored(long rowCount, long byteCount) {
        committedRows.inc(rowCount);
        committedBytes.inc(byteCount);
    }

    /** What became of those rows of a committed batch that were not new. */
    public void conflicted(long skippedRows, long replacedRows) {
        skipped.inc(skippedRows);
        replaced.inc(replacedRows);
    }

    /** The server has left out rows of a batch, as it was told. */
    public void filtered(long rowCount) {
        filtered.inc(rowCount);
    }

    /** Rows are done with that no server was asked to take: there is no flush, and no time that one took. */
    public void discarded(long rowCount, long byteCount) {
        sent(rowCount, byteCount);
        settled(rowCount, byteCount);
    }

    private void sent(long rowCount, long byteCount) {
        sentRows.inc(rowCount);
        sentBytes.inc(byteCount);
    }

    private void settled(long rowCount, long byteCount) {
        committedRows.inc(rowCount);
        committedBytes.inc(byteCount);
        lastCommitTime = System.currentTimeMillis();
    }

    /** An attempt failed and is made again. */
    public void retried() {
        retries.inc();
    }

    /** A batch is given up, and with it these rows: the job fails. */
    public void failed(long batchRowCount) {
        errors.inc(batchRowCount);
    }

    private String latencyText() {
        // Only those who follow a load look at this one.
        lastLook.looked();
        return latency.encoded();
    }

    /** All rows have come, and are sent. */
    public void ended() {
        ended = true;
    }

    /** After {@link #ended} it waits some seconds, if there is somebody who looks every second or so, that they see the last values. */
    @Override
    public void close() {
        watch.ifPresent(TableWatch::close);
        if (ended) {
            lastLook.await();
        }
    }
}
