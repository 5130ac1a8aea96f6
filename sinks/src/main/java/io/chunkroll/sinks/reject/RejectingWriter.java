package io.chunkroll.sinks.reject;

import io.chunkroll.rows.Reject;
import io.chunkroll.rows.Tuple;
import java.io.IOException;
import org.apache.flink.api.connector.sink2.SinkWriter;

/**
 * Takes the accounts of rows that could not be read out of a writer's stream, and publishes rejects when the writer's rows are committed.
 *
 * @param <T> the stream's type
 */
public final class RejectingWriter<T> implements SinkWriter<T> {
    private final SinkWriter<T> writer;
    private final RejectLog log;

    /** @param writer has committed all it got when it is flushed */
    public RejectingWriter(SinkWriter<T> writer, RejectLog log) {
        this.writer = writer;
        this.log = log;
    }

    @Override
    public void write(T element, Context context) throws IOException, InterruptedException {
        if (element instanceof Tuple row && row.isRejected()) {
            log.add(Reject.decode(row));
        } else {
            writer.write(element, context);
        }
    }

    @Override
    public void flush(boolean endOfInput) throws IOException, InterruptedException {
        writer.flush(endOfInput);
        log.publish();
    }

    @Override
    public void close() throws Exception {
        writer.close();
        log.close();
    }
}
