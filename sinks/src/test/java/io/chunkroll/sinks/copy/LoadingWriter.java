package io.chunkroll.sinks.copy;

import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.sinks.Fleet;
import io.chunkroll.sinks.metrics.SinkMetrics;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.TargetTable;
import java.io.IOException;
import java.time.Duration;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;

/** A writer of the fleet's rows without a job around it, so that a test decides when it is flushed and closed. */
final class LoadingWriter implements AutoCloseable {
    final TestProcessingTimeService timers = new TestProcessingTimeService();
    final CountingGroup counters = new CountingGroup();
    private final TupleWriter tuples = new TupleWriter(Fleet.COLUMNS);
    private final CopyWriter<Tuple> writer;
    private long next;

    LoadingWriter(ConnectionOptions connection, TargetTable table, int batchRows, Duration retryFor) {
        this(
                connection,
                table,
                batchRows,
                retryFor,
                RowsLoad.direct(new CopyStatement(table.name().sql(), table, Fleet.COLUMNS, CopyFilter.NONE), true));
    }

    LoadingWriter(ConnectionOptions connection, TargetTable table, int batchRows, Duration retryFor, RowsLoad rows) {
        BatchLimits limits = new BatchLimits(batchRows, Long.MAX_VALUE, Duration.ofSeconds(1));
        CopyChannel channel = new CopyChannel(new CopyConnection(connection, "copy 0"), BatchLoad.allOf(rows));
        SinkMetrics metrics = new SinkMetrics(counters);
        BatchSender sender =
                new BatchSender(channel, new RetryPolicy(retryFor), metrics, new BatchNames(table.name(), 0));
        CopyWriter.RowEncoding<Tuple> encoding =
                new CopyWriter.RowEncoding<>((tuple, ignored) -> tuple, new TupleWriter(Fleet.COLUMNS));
        writer = new CopyWriter<>(encoding, limits, sender, timers, null);
    }

    /** Writes the fleet's next rows. */
    LoadingWriter write(int rows) throws IOException, InterruptedException {
        for (int i = 0; i < rows; i++) {
            writer.write(Fleet.row(tuples, next++), null);
        }
        return this;
    }

    /** Goes back, as a job does after a failure: the rows from there on come again. */
    LoadingWriter rewindTo(long row) {
        next = row;
        return this;
    }

    void flush() throws IOException, InterruptedException {
        writer.flush(false);
    }

    @Override
    public void close() {
        writer.close();
    }
}
