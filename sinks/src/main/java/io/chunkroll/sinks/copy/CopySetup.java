package io.chunkroll.sinks.copy;

import io.chunkroll.rows.RowText;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.sinks.metrics.SinkMetrics;
import io.chunkroll.sinks.reject.RejectLog;
import io.chunkroll.sinks.table.BarePartitions;
import io.chunkroll.sinks.table.ChunkRanges;
import io.chunkroll.sinks.table.OnConflict;
import io.chunkroll.sinks.table.PartitionMaker;
import io.chunkroll.sinks.table.TableName;
import io.chunkroll.sinks.table.TargetTable;
import java.io.IOException;
import java.io.Serializable;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** What the COPY sinks of both guarantees are made of, and the parts of a writer that they share. */
record CopySetup<T>(
        CopyOptions options, TargetTable table, TableDescription columns, TupleEncoder<T> encoder, RowPolicy policy)
        implements Serializable {

    CopySetup<T> with(RowPolicy other) {
        return new CopySetup<>(options, table, columns, encoder, other);
    }

    RetryPolicy retries() {
        return new RetryPolicy(options.retryFor());
    }

    SinkMetrics metrics(WriterInitContext context) {
        return new SinkMetrics(context.metricGroup()).watching(options.connection(), table, subtask(context));
    }

    BatchNames names(WriterInitContext context) {
        return new BatchNames(table.name(), subtask(context));
    }

    /** A batch's way into the table in a transaction of its own, chunks first. */
    BatchLoad load() {
        return options.partitionsApart() ? apart() : load(chunks());
    }

    /** The same in a transaction that stays open for many batches. */
    BatchLoad loadOfManyBatches() {
        if (options.partitionsApart()) {
            return apart();
        }
        ChunkMaker chunks = chunks();
        return load(chunks == ChunkMaker.NONE ? chunks : new HeldChunks(chunks, retries()));
    }

    private BatchLoad load(ChunkMaker chunks) {
        RowsLoad rows = policy.conflicts().mode() == OnConflict.ERROR
                ? RowsLoad.direct(statement(), options.sorted())
                : new ConflictLoad(table, columns, policy.conflicts(), policy.filter());
        return policy.rejects() == null ? BatchLoad.allOf(rows).after(chunks) : new RejectingLoad(rows, chunks);
    }

    private BatchLoad apart() {
        boolean leavesOut = policy.rejects() != null;
        BarePartitions partitions = new BarePartitions(table, options.partitionInterval(), leavesOut);
        PartitionsApart rows =
                new PartitionsApart(options.connection(), partitions, table.name(), this::copyInto, options.sorted());
        return rows.before(leavesOut ? new RejectingLoad(rows, ChunkMaker.NONE) : BatchLoad.allOf(rows));
    }

    private CopyStatement statement() {
        return copyInto(table.name());
    }

    private CopyStatement copyInto(TableName target) {
        return new CopyStatement(target.sql(), table, columns, policy.filter());
    }

    private ChunkMaker chunks() {
        if (!options.chunksAhead() || !table.partedByTime()) {
            return ChunkMaker.NONE;
        }
        return switch (table.layout()) {
            case PLAIN -> ChunkMaker.NONE;
            case HYPERTABLE ->
                new ChunksAhead(
                        options.connection(),
                        new ChunkRanges(table),
                        statement(),
                        policy.rejects() != null,
                        ChunksAhead.REFRESH);
            case PARTITIONED ->
                options.partitionInterval() == null
                        ? ChunkMaker.NONE
                        : new PartitionsAhead(
                                options.connection(), new PartitionMaker(table, options.partitionInterval()));
        };
    }

    /** Empty where rows are not left out. */
    Optional<RejectLog> log(WriterInitContext context, OptionalLong restoredCheckpoint) throws IOException {
        return policy.rejects() == null
                ? Optional.empty()
                : Optional.of(RejectLog.open(policy.rejects(), context, restoredCheckpoint));
    }

    /** What tells of rows that the server refuses, too, where those are left out. */
    Sender telling(Optional<RejectLog> log, Sender sender) {
        return log.isPresent() ? new RejectingSender(sender, log.get(), new RowText(columns)) : sender;
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
