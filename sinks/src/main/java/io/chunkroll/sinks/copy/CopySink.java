package io.chunkroll.sinks.copy;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.sinks.metrics.SinkMetrics;
import io.chunkroll.sinks.reject.RejectLog;
import io.chunkroll.sinks.reject.RejectOptions;
import io.chunkroll.sinks.reject.RejectingWriter;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.PartitionMaker;
import io.chunkroll.sinks.table.TargetTable;
import java.io.IOException;
import java.util.OptionalLong;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Loads a stream into a PostgreSQL table by COPY: each subtask over a connection of its own, each batch one COPY in one transaction.
 *
 * <p>At-least-once: before a checkpoint passes, all rows that came before it are committed. A lost connection, a deadlock or a restart of
 * the server loses and doubles nothing, for the batch stays here until it is known to be committed; docs/decisions/commit-fate.md
 * tells the one crash of the server that could pass for a commit. If the job itself fails, it goes on from its last checkpoint, and the
 * rows committed since come a second time.
 *
 * @param <T> the stream's type: {@link Tuple}, or any other with a {@link TupleEncoder}
 */
public final class CopySink<T> implements Sink<T> {
    private static final long serialVersionUID = 1L;

    private final CopyOptions options;
    private final TargetTable table;
    private final TableDescription columns;
    private final TupleEncoder<T> encoder;
    /** Null where a row that the server refuses fails the job. */
    private final RejectOptions rejects;

    /**
     * @param options connection, batches, retries
     * @param table the table, as {@link TargetTable#read} found it
     * @param columns those that are loaded, in the order of the tuples
     * @param encoder makes tuples of the stream's elements
     */
    public CopySink(CopyOptions options, TargetTable table, TableDescription columns, TupleEncoder<T> encoder) {
        this(options, table, columns, encoder, null);
    }

    private CopySink(
            CopyOptions options,
            TargetTable table,
            TableDescription columns,
            TupleEncoder<T> encoder,
            RejectOptions rejects) {
        this.options = options;
        this.table = table;
        this.columns = columns;
        this.encoder = encoder;
        this.rejects = rejects;
    }

    /** A sink for a stream of tuples, which are encoded already. */
    public static CopySink<Tuple> ofTuples(CopyOptions options, TargetTable table, TableDescription columns) {
        return new CopySink<>(options, table, columns, (tuple, writer) -> tuple);
    }

    /** The same sink, which leaves out rows that could not be read or that the server refuses, and tells of each; null to let them fail the job. */
    public CopySink<T> rejecting(RejectOptions other) {
        return new CopySink<>(options, table, columns, encoder, other);
    }

    @Override
    public SinkWriter<T> createWriter(WriterInitContext context) throws IOException {
        int subtask = context.getTaskInfo().getIndexOfThisSubtask();
        PartitionMaker partitions = table.layout() == Layout.PARTITIONED && options.partitionInterval() != null
                ? new PartitionMaker(table, options.partitionInterval())
                : null;
        CopyConnection connection = new CopyConnection(options.connection(), "copy " + subtask);
        RowsLoad direct = RowsLoad.direct(new CopyStatement(table.name().sql(), table, columns), options.sorted());
        BatchLoad rows = rejects == null ? BatchLoad.allOf(direct) : new RejectingLoad(direct);
        CopyChannel channel = new CopyChannel(connection, rows, partitions);
        SinkMetrics metrics =
                new SinkMetrics(context.metricGroup()).watchingChunks(options.connection(), table, subtask);
        BatchSender sender = new BatchSender(channel, new RetryPolicy(options.retryFor()), metrics, table, subtask);
        if (rejects == null) {
            return writer(sender, context);
        }
        RejectLog log = RejectLog.open(rejects, context, OptionalLong.empty());
        return new RejectingWriter<>(writer(sender.telling(new RefusedRows(log, columns)), context), log);
    }

    private CopyWriter<T> writer(BatchSender sender, WriterInitContext context) {
        return new CopyWriter<>(
                encoder, new TupleWriter(columns), options.limits(), sender, context.getProcessingTimeService());
    }
}
