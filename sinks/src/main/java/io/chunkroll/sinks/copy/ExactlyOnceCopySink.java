package io.chunkroll.sinks.copy;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sinks.copy.ExactlyOnceCopyWriter.Naming;
import io.chunkroll.sinks.copy.ExactlyOnceCopyWriter.Restored;
import io.chunkroll.sinks.metrics.CommitMetrics;
import io.chunkroll.sinks.metrics.SinkMetrics;
import io.chunkroll.sinks.reject.RejectFolder;
import io.chunkroll.sinks.reject.RejectLog;
import io.chunkroll.sinks.reject.RejectOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TargetException;
import io.chunkroll.sinks.table.TargetTable;
import io.chunkroll.sinks.transaction.PreparedTransactions;
import io.chunkroll.sinks.transaction.Recovery;
import io.chunkroll.sinks.transaction.TransactionId;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.SupportsWriterState;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Loads a stream into a PostgreSQL table by COPY, every row once, whatever fails: each subtask copies its batches into one transaction
 * from checkpoint to checkpoint, prepares it before the checkpoint's barrier passes, and commits it when the checkpoint is complete. Rows
 * are seen then, not before.
 *
 * <p>A job that comes back finds what it left by the transactions' prefix: what belongs to its checkpoint is committed, the rest, also of
 * subtasks that no longer exist, is rolled back and comes again. So two jobs must not run with the same prefix at once, and a job that
 * never comes back leaves transactions that hold locks; see {@link PreparedTransactions#list}.
 *
 * <p>It ends where the server's own promise ends: a server that loses prepared transactions ({@code fsync = off}, a standby that is
 * promoted before they reach it) loses rows.
 *
 * @param <T> the stream's type: {@link Tuple}, or any other with a {@link TupleEncoder}
 */
public final class ExactlyOnceCopySink<T>
        implements Sink<T>, SupportsCommitter<CopyCommittable>, SupportsWriterState<T, CopyWriterState> {
    private static final long serialVersionUID = 1L;

    private final CopySetup<T> setup;
    private final String prefix;

    /**
     * @param options connection, batches, retries; with chunks made ahead
     * @param table the table, as {@link TargetTable#read} found it
     * @param columns those that are loaded, in the order of the tuples
     * @param encoder makes tuples of the stream's elements
     * @param prefix the load's name in its transactions, see {@link io.chunkroll.sinks.transaction.TransactionId}
     * @throws IllegalArgumentException if chunks are not to be made ahead, or the prefix is none
     * @throws TargetException if the table's chunks cannot be made ahead: a writer whose transaction made one and stays open would hold
     *     up the others, and the job could stand still
     */
    public ExactlyOnceCopySink(
            CopyOptions options, TargetTable table, TableDescription columns, TupleEncoder<T> encoder, String prefix) {
        this(new CopySetup<>(options, table, columns, encoder, RowPolicy.STRICT), prefix);
    }

    private ExactlyOnceCopySink(CopySetup<T> setup, String prefix) {
        if (!setup.options().chunksAhead() || !TransactionId.isPrefix(prefix)) {
            throw new IllegalArgumentException(
                    "Exactly-once needs chunks made ahead, and a prefix, not '" + prefix + "'");
        }
        TargetTable table = setup.table();
        if (table.layout() == Layout.HYPERTABLE && !table.partedByTime()) {
            throw new TargetException(
                    "Hypertable " + table.name() + " has more dimensions than its time, or a time that is"
                            + " a number: its chunks cannot be made ahead, which sink.guarantee exactly-once needs."
                            + " Use at-least-once; with a unique key, sink.on-conflict skip or replace leaves every row once");
        }
        this.setup = setup;
        this.prefix = prefix;
    }

    /** A sink for a stream of tuples, which are encoded already. */
    public static ExactlyOnceCopySink<Tuple> ofTuples(
            CopyOptions options, TargetTable table, TableDescription columns, String prefix) {
        return new ExactlyOnceCopySink<>(options, table, columns, (tuple, writer) -> tuple, prefix);
    }

    /** The same sink, of whose rows the server leaves out those that do not pass. */
    public ExactlyOnceCopySink<T> where(CopyFilter filter) {
        return new ExactlyOnceCopySink<>(setup.with(setup.policy().where(filter)), prefix);
    }

    /**
     * The same sink, which leaves out rows that could not be read or that the server refuses, and tells of each once.
     *
     * @param rejects where it does; null to let them fail the job
     */
    public ExactlyOnceCopySink<T> rejecting(RejectOptions rejects) {
        return new ExactlyOnceCopySink<>(setup.with(setup.policy().rejecting(rejects)), prefix);
    }

    @Override
    public StatefulSinkWriter<T, CopyWriterState> createWriter(WriterInitContext context) throws IOException {
        return restoreWriter(context, List.of());
    }

    @Override
    public StatefulSinkWriter<T, CopyWriterState> restoreWriter(
            WriterInitContext context, Collection<CopyWriterState> states) throws IOException {
        OptionalLong checkpoint = context.getRestoredCheckpointId();
        Restored restored = new Restored(
                checkpoint.orElse(0),
                states.stream().mapToLong(CopyWriterState::rows).sum(),
                states.stream().mapToLong(CopyWriterState::bytes).sum());
        int subtask = CopySetup.subtask(context);
        Set<String> earlier = states.stream()
                .map(CopyWriterState::prefix)
                .filter(other -> !other.equals(prefix))
                .collect(Collectors.toSet());
        recover(new Recovery(subtask, context.getTaskInfo().getNumberOfParallelSubtasks(), checkpoint), earlier);
        SinkMetrics metrics = setup.metrics(context);
        metrics.restored(restored.rows(), restored.bytes());
        CopyConnection connection =
                new CopyConnection(setup.options().connection(), PreparedTransactions.purpose(prefix, subtask));
        TransactionSender sender = new TransactionSender(
                connection, setup.loadOfManyBatches(), setup.retries(), metrics, setup.names(context));
        Optional<RejectLog> log = setup.log(context, checkpoint);
        return new ExactlyOnceCopyWriter<>(
                setup.writer(setup.telling(log, sender), context, context.getMailboxExecutor()),
                sender,
                new Naming(prefix, subtask),
                restored,
                log);
    }

    /** Tried again while the server restarts: a writer that comes back after a fault may be faster than the server. */
    private void recover(Recovery recovery, Set<String> earlier) throws IOException {
        long begin = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            try (Connection connection = setup.options().connection().connect("recovery")) {
                setup.retries().limitWaiting(connection);
                recovery.of(connection, prefix);
                for (String other : earlier) {
                    recovery.ofEarlier(connection, other);
                }
                return;
            } catch (SQLException e) {
                if (!RetryPolicy.isTransient(e) || !setup.retries().allows(System.nanoTime() - begin)) {
                    throw CopyException.of(
                            "Rolling back what an earlier attempt of load " + prefix + " left failed: "
                                    + e.getMessage(),
                            e);
                }
                pause(attempt);
            }
        }
    }

    private static void pause(int attempt) throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(RetryPolicy.pauseMillis(attempt));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public Committer<CopyCommittable> createCommitter(CommitterInitContext context) {
        String purpose = "commit " + context.getTaskInfo().getIndexOfThisSubtask();
        return new CopyCommitter(
                new CopyConnection(setup.options().connection(), purpose),
                setup.retries(),
                new CommitMetrics(context.metricGroup()),
                context.getRestoredCheckpointId(),
                Optional.ofNullable(setup.policy().rejects()).map(RejectFolder::new));
    }

    @Override
    public SimpleVersionedSerializer<CopyCommittable> getCommittableSerializer() {
        return new CopyCommittable.Serializer();
    }

    @Override
    public SimpleVersionedSerializer<CopyWriterState> getWriterStateSerializer() {
        return new CopyWriterState.Serializer();
    }
}
