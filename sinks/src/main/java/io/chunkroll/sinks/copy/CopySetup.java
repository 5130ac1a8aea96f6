package io.chunkroll.sinks.copy;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.sinks.metrics.SinkMetrics;
import io.chunkroll.sinks.table.ChunkRanges;
import io.chunkroll.sinks.table.PartitionMaker;
import io.chunkroll.sinks.table.TargetTable;
import java.io.Serializable;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** What the COPY sinks of both guarantees are made of, and the parts of a writer that they share. */
record CopySetup<T>(CopyOptions options, TargetTable table, TableDescription columns, TupleEncoder<T> encoder)
        implements Serializable {

    RetryPolicy retries() {
        return new RetryPolicy(options.retryFor());
    }

    SinkMetrics metrics(WriterInitContext context) {
        return new SinkMetrics(context.metricGroup()).watchingChunks(options.connection(), table, subtask(context));
    }

    BatchNames names(WriterInitContext context) {
        return new BatchNames(table.name(), subtask(context));
    }

    /** A batch's way into the table, chunks first. */
    BatchLoad load() {
        CopyStatement statement = new CopyStatement(table.name().sql(), table, columns);
        return BatchLoad.direct(statement, options.sorted()).after(chunks(statement));
    }

    private ChunkMaker chunks(CopyStatement statement) {
        if (!options.chunksAhead() || !table.partedByTime()) {
            return ChunkMaker.NONE;
        }
        return switch (table.layout()) {
            case PLAIN -> ChunkMaker.NONE;
            case HYPERTABLE -> new ChunksAhead(options.connection(), new ChunkRanges(table), statement);
            case PARTITIONED ->
                options.partitionInterval() == null
                        ? ChunkMaker.NONE
                        : new PartitionsAhead(
                                options.connection(), new PartitionMaker(table, options.partitionInterval()));
        };
    }

    CopyWriter<T> writer(Sender sender, WriterInitContext context, MailboxExecutor mailbox) {
        return new CopyWriter<>(
                new CopyWriter.RowEncoding<>(encoder, new TupleWriter(columns)),
                options.limits(),
                sender,
                context.getProcessingTimeService(),
                mailbox);
    }

    static int subtask(WriterInitContext context) {
        return context.getTaskInfo().getIndexOfThisSubtask();
    }
}
