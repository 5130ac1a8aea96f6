package io.chunkroll.sinks.reject;

import io.chunkroll.rows.Origin;
import io.chunkroll.rows.Reject;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.metrics.Counter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rejects of one writer since its last checkpoint: written to a hidden file one by one, never held.
 *
 * <p>Accounts of rows that could not be read come on the task's thread, those of rows that the server refused on the one that sends.
 */
public final class RejectLog implements AutoCloseable {
    /** Rejects written by this writer, also those that come again after a failure. */
    public static final String COUNTER = "rejects";

    private static final Logger LOG = LoggerFactory.getLogger(RejectLog.class);

    private final RejectFolder folder;
    private final int subtask;
    private final Counter counter;

    private long nextCheckpoint;
    private RejectFile file;
    private FSDataOutputStream raw;
    private OutputStream out;
    private long rows;
    private long publishedAtLeast;
    private Reject last;

    RejectLog(RejectFolder folder, int subtask, Counter counter, long nextCheckpoint) throws IOException {
        this.folder = folder;
        this.subtask = subtask;
        this.counter = counter;
        this.nextCheckpoint = nextCheckpoint;
        lookAtOthers();
    }

    /**
     * Opens the log of a writer, and deletes its share of what earlier attempts left hidden and whose rows come again.
     *
     * @param restoredCheckpoint the checkpoint from which the job goes on and which knows what is hidden; empty if it starts anew, or if
     *     rejects are published before the checkpoint
     */
    public static RejectLog open(RejectOptions options, WriterInitContext context, OptionalLong restoredCheckpoint)
            throws IOException {
        int subtask = context.getTaskInfo().getIndexOfThisSubtask();
        RejectFolder folder = new RejectFolder(options);
        folder.discardLeftOvers(subtask, context.getTaskInfo().getNumberOfParallelSubtasks(), restoredCheckpoint);
        Counter counter = context.metricGroup().counter(COUNTER);
        return new RejectLog(folder, subtask, counter, restoredCheckpoint.orElse(0) + 1);
    }

    /**
     * Notes a reject.
     *
     * @throws TooManyRejectsException if there are more than may be, as far as this writer knows
     */
    public synchronized void add(Reject reject) throws IOException {
        if (publishedAtLeast + rows >= folder.most()) {
            throw folder.tooMany(describe(reject));
        }
        if (out == null) {
            file = folder.next(subtask, nextCheckpoint);
            raw = folder.create(file);
            out = new BufferedOutputStream(raw, 1 << 16);
        }
        RejectJson.write(reject, out);
        rows++;
        last = reject;
        counter.inc();
    }

    /** Ends the file, so that it outlives this process; empty if there are no rejects. */
    public synchronized Optional<PendingRejects> roll() throws IOException {
        if (out == null) {
            return Optional.empty();
        }
        out.flush();
        sync();
        out.close();
        PendingRejects pending = new PendingRejects(folder.path(file).toString(), rows, describe(last));
        out = null;
        rows = 0;
        return Optional.of(pending);
    }

    private void sync() throws IOException {
        try {
            raw.sync();
        } catch (UnsupportedOperationException e) {
            // An object store keeps what is closed, and nothing before.
            LOG.debug("{} cannot be synced", file.hidden(), e);
        }
    }

    /** Ends the file and makes it visible. */
    public synchronized void publish() throws IOException {
        Optional<PendingRejects> pending = roll();
        if (pending.isPresent()) {
            pending.get().publish();
            folder.checkLimit(pending.get());
        }
        lookAtOthers();
    }

    private void lookAtOthers() throws IOException {
        publishedAtLeast = folder.isLimited() ? folder.published() : 0;
    }

    /** What comes from now on belongs to a checkpoint with at least this number. */
    public synchronized void startsCheckpoint(long number) throws IOException {
        nextCheckpoint = number;
        lookAtOthers();
    }

    private static String describe(Reject reject) {
        Origin origin = reject.origin();
        String place = origin.file().isEmpty()
                ? "came from no file"
                : "stands in " + origin.file() + " at byte " + origin.offset();
        return place + ": " + reject.reason();
    }

    /** Closes the file as it is, hidden. Throws nothing: what was not rolled belongs to no checkpoint. */
    @Override
    public synchronized void close() {
        if (out != null) {
            try {
                out.close();
            } catch (IOException e) {
                LOG.warn("Closing {} failed: {}", file.hidden(), e.getMessage());
            }
        }
    }
}
