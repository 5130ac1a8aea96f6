package io.chunkroll.sinks.metrics;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.groups.SinkCommitterMetricGroup;

/** The metrics of one committer, under the names of {@link SinkMetrics}: in exactly-once mode rows count here, for here they are committed. */
public final class CommitMetrics {
    private final Counter rows;
    private final Counter bytes;
    private final Counter retries;
    private volatile long lastCommitTime;

    public CommitMetrics(SinkCommitterMetricGroup group) {
        rows = group.counter(SinkMetrics.COMMITTED_ROWS);
        bytes = group.counter(SinkMetrics.COMMITTED_BYTES);
        retries = group.counter(SinkMetrics.RETRIES);
        group.gauge(SinkMetrics.LAST_COMMIT_TIME, () -> lastCommitTime);
    }

    /** A transaction is committed. */
    public void committed(long rowCount, long byteCount) {
        rows.inc(rowCount);
        bytes.inc(byteCount);
        lastCommitTime = System.currentTimeMillis();
    }

    /** An attempt failed and is made again. */
    public void retried() {
        retries.inc();
    }
}
