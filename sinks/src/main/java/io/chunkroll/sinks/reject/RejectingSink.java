package io.chunkroll.sinks.reject;

import io.chunkroll.rows.Tuple;
import java.io.IOException;
import java.util.OptionalLong;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** An at-least-once sink that sets aside rows that could not be read. What its server refuses fails the job as before. */
public final class RejectingSink implements Sink<Tuple> {
    private static final long serialVersionUID = 1L;

    private final Sink<Tuple> sink;
    private final RejectOptions options;

    public RejectingSink(Sink<Tuple> sink, RejectOptions options) {
        this.sink = sink;
        this.options = options;
    }

    @Override
    public SinkWriter<Tuple> createWriter(WriterInitContext context) throws IOException {
        // Whatever an earlier attempt did not publish comes again.
        RejectLog log = RejectLog.open(options, context, OptionalLong.empty());
        return new RejectingWriter<>(sink.createWriter(context), log);
    }
}
