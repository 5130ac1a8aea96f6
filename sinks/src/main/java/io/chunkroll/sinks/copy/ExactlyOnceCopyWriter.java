package io.chunkroll.sinks.copy;

import io.chunkroll.rows.Reject;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sinks.reject.RejectLog;
import io.chunkroll.sinks.transaction.TransactionId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;

/**
 * A {@link CopyWriter} whose batches go into one transaction from checkpoint to checkpoint, which is prepared before the checkpoint's
 * barrier passes. Committing is {@link CopyCommitter}'s.
 */
final class ExactlyOnceCopyWriter<T>
        implements CommittingSinkWriter<T, CopyCommittable>, StatefulSinkWriter<T, CopyWriterState> {
    private final CopyWriter<T> writer;
    private final TransactionSender sender;
    private final Naming names;
    private final Optional<RejectLog> log;

    /** No checkpoint that is still to come has a smaller number. */
    private long nextCheckpoint;

    private long rows;
    private long bytes;

    /**
     * @param writer hands its batches to the sender
     * @param restored where the job goes on from: its checkpoint's number, the rows and bytes committed with it
     * @param log takes rows that are left out; empty where there are none
     */
    ExactlyOnceCopyWriter(
            CopyWriter<T> writer, TransactionSender sender, Naming names, Restored restored, Optional<RejectLog> log) {
        this.writer = writer;
        this.sender = sender;
        this.names = names;
        this.log = log;
        nextCheckpoint = restored.checkpoint() + 1;
        rows = restored.rows();
        bytes = restored.bytes();
    }

    /** How a writer's transactions are called. */
    record Naming(String prefix, int subtask) {
        private TransactionId next(long checkpoint) {
            return TransactionId.next(prefix, subtask, checkpoint);
        }
    }

    /** Where a writer goes on from; all 0 at a new start. */
    record Restored(long checkpoint, long rows, long bytes) {}

    @Override
    public void write(T element, Context context) throws IOException, InterruptedException {
        if (log.isPresent() && element instanceof Tuple row && row.isRejected()) {
            log.get().add(Reject.decode(row));
        } else {
            writer.write(element, context);
        }
    }

    /** On return, everything written is in the transaction. */
    @Override
    public void flush(boolean endOfInput) throws IOException, InterruptedException {
        writer.flush(endOfInput);
    }

    /** Called right after {@link #flush}. Flink does not tell the checkpoint's number, only that of the one before. */
    @Override
    public Collection<CopyCommittable> prepareCommit() throws IOException {
        List<CopyCommittable> committables = new ArrayList<>();
        Optional<CopyCommittable.Prepared> prepared = sender.prepare(names.next(nextCheckpoint));
        if (prepared.isPresent()) {
            rows += prepared.get().rows();
            bytes += prepared.get().bytes();
            committables.add(prepared.get());
        }
        if (log.isPresent()) {
            log.get().roll().map(CopyCommittable.Rejects::new).ifPresent(committables::add);
        }
        return committables;
    }

    @Override
    public List<CopyWriterState> snapshotState(long checkpoint) throws IOException {
        nextCheckpoint = checkpoint + 1;
        if (log.isPresent()) {
            log.get().startsCheckpoint(nextCheckpoint);
        }
        return List.of(new CopyWriterState(names.prefix(), rows, bytes));
    }

    @Override
    public void close() {
        writer.close();
        log.ifPresent(RejectLog::close);
    }
}
