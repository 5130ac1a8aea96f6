package io.chunkroll.sinks.discard;

import io.chunkroll.rows.Tuple;
import io.chunkroll.sinks.metrics.SinkMetrics;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** Counts rows and forgets them: what a source and the exchange can do when nothing waits for a server. */
public final class DiscardSink implements Sink<Tuple> {
    private static final long serialVersionUID = 1L;
    private static final int ROWS_A_COUNT = 1_024;

    @Override
    public SinkWriter<Tuple> createWriter(WriterInitContext context) {
        return new Writer(new SinkMetrics(context.metricGroup()));
    }

    private static final class Writer implements SinkWriter<Tuple> {
        private final SinkMetrics metrics;
        private int rows;
        private long bytes;

        private Writer(SinkMetrics metrics) {
            this.metrics = metrics;
        }

        @Override
        public void write(Tuple row, Context context) {
            bytes += row.length();
            if (++rows == ROWS_A_COUNT) {
                count();
            }
        }

        private void count() {
            metrics.discarded(rows, bytes);
            rows = 0;
            bytes = 0;
        }

        @Override
        public void flush(boolean endOfInput) {
            if (rows > 0) {
                count();
            }
            if (endOfInput) {
                metrics.ended();
            }
        }

        @Override
        public void close() {
            metrics.close();
        }
    }
}
