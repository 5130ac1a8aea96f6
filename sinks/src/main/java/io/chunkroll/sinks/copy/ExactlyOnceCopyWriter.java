package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.transaction.TransactionId;
import java.io.IOException;
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
    private final String prefix;
    private final int subtask;

    /** No checkpoint that is still to come has a smaller number. */
    private long nextCheckpoint;

    private long rows;
    private long bytes;

    /**
     * @param writer hands its batches to the sender
     * @param restored where the job goes on from: its checkpoint's number, the rows and bytes committed with it
     */
    ExactlyOnceCopyWriter(
            CopyWriter<T> writer, TransactionSender sender, String prefix, int subtask, Restored restored) {
        this.writer = writer;
        this.sender = sender;
        this.prefix = prefix;
        this.subtask = subtask;
        nextCheckpoint = restored.checkpoint() + 1;
        rows = restored.rows();
        bytes = restored.bytes();
    }

    /** Where a writer goes on from; all 0 at a new start. */
    record Restored(long checkpoint, long rows, long bytes) {}

    @Override
    public void write(T element, Context context) throws IOException, InterruptedException {
        writer.write(element, context);
    }

    /** On return, everything written is in the transaction. */
    @Override
    public void flush(boolean endOfInput) throws IOException, InterruptedException {
        writer.flush(endOfInput);
    }

    /** Called right after {@link #flush}. Flink does not tell the checkpoint's number, only that of the one before. */
    @Override
    public Collection<CopyCommittable> prepareCommit() throws IOException {
        Optional<CopyCommittable> prepared = sender.prepare(TransactionId.next(prefix, subtask, nextCheckpoint));
        rows += prepared.map(CopyCommittable::rows).orElse(0L);
        bytes += prepared.map(CopyCommittable::bytes).orElse(0L);
        return prepared.stream().toList();
    }

    @Override
    public List<CopyWriterState> snapshotState(long checkpoint) {
        nextCheckpoint = checkpoint + 1;
        return List.of(new CopyWriterState(prefix, rows, bytes));
    }

    @Override
    public void close() {
        writer.close();
    }
}
