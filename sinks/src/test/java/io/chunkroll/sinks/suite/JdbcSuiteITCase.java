package io.chunkroll.sinks.suite;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.sinks.jdbc.JdbcOptions;
import io.chunkroll.sinks.jdbc.JdbcTupleSink;
import io.chunkroll.sinks.table.Conflicts;
import java.io.IOException;
import java.time.Duration;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.execution.CheckpointingMode;

class JdbcSuiteITCase extends SinkSuite {
    private static final int BATCH_ROWS = 100;

    JdbcSuiteITCase() {
        super(
                CheckpointingMode.AT_LEAST_ONCE,
                (server, table, columns) -> new OfTexts(
                        new JdbcTupleSink(
                                new JdbcOptions(server, BATCH_ROWS, Duration.ofMinutes(10), null),
                                table,
                                columns,
                                Conflicts.ERROR),
                        columns));
    }

    /** The JDBC sink takes tuples only. */
    private record OfTexts(Sink<Tuple> sink, TableDescription columns) implements Sink<String> {
        @Override
        public SinkWriter<String> createWriter(WriterInitContext context) throws IOException {
            return new Writer(sink.createWriter(context), new TupleWriter(columns));
        }

        private record Writer(SinkWriter<Tuple> writer, TupleWriter tuples) implements SinkWriter<String> {
            @Override
            public void write(String element, Context context) throws IOException, InterruptedException {
                writer.write(SuiteTable.encode(element, tuples).copy(), context);
            }

            @Override
            public void flush(boolean endOfInput) throws IOException, InterruptedException {
                writer.flush(endOfInput);
            }

            @Override
            public void close() throws Exception {
                writer.close();
            }
        }
    }
}
