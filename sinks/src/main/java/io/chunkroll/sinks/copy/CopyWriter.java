package io.chunkroll.sinks.copy;

import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleWriter;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.util.ExceptionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects rows into a batch while a thread of its own sends the batch before. There are two batches in all: one is being filled, one
 * may be in flight, and what became of that one is settled before the next is handed over and before a checkpoint passes.
 *
 * <p>Everything but the sending happens on the task's own thread; the age of a batch is watched by a timer of the mailbox.
 */
final class CopyWriter<T> implements SinkWriter<T> {
    private static final Logger LOG = LoggerFactory.getLogger(CopyWriter.class);
    private static final long CLOSE_SECONDS = 10;
    /** How often an old batch looks whether the one before it is sent. */
    private static final long SENDING_MILLIS = 20;

    /** Makes a row of an element. */
    record RowEncoding<T>(TupleEncoder<T> encoder, TupleWriter writer) {
        private Tuple encode(T element) {
            return encoder.encode(element, writer);
        }
    }

    private final RowEncoding<T> rows;
    private final BatchLimits limits;
    private final Sender sender;
    private final ProcessingTimeService timers;
    private final MailboxExecutor mailbox;
    private final ExecutorService thread;

    private Batch filling = new Batch();
    private Batch spare = new Batch();
    private CompletableFuture<Void> inFlight;
    private boolean handingOver;
    private long batches;

    /**
     * @param limits when a batch is handed over
     * @param mailbox what the task does while it waits for the batch in flight, or null for nothing: in exactly-once mode that batch may
     *     wait for a transaction which this task is to commit
     */
    CopyWriter(
            RowEncoding<T> rows,
            BatchLimits limits,
            Sender sender,
            ProcessingTimeService timers,
            MailboxExecutor mailbox) {
        this.rows = rows;
        this.limits = limits;
        this.sender = sender;
        this.timers = timers;
        this.mailbox = mailbox;
        ClassLoader userCode = Thread.currentThread().getContextClassLoader();
        thread = Executors.newSingleThreadExecutor(task -> {
            Thread sending = new Thread(task, Thread.currentThread().getName() + " (COPY)");
            sending.setContextClassLoader(userCode);
            sending.setDaemon(true);
            return sending;
        });
        begin(filling);
    }

    private void begin(Batch batch) {
        batch.reset(++batches);
    }

    @Override
    public void write(T element, Context context) throws IOException, InterruptedException {
        Tuple row = rows.encode(element);
        if (filling.isFullFor(row)) {
            handOver();
        }
        if (filling.isEmpty()) {
            watchAge(filling.number(), limits.age().toMillis());
        }
        filling.add(row);
        if (limits.isReachedBy(filling)) {
            handOver();
        }
    }

    // A timer that fails fails the task by itself, and one that comes too late finds another batch.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void watchAge(long number, long millis) {
        timers.registerTimer(timers.getCurrentProcessingTime() + millis, time -> {
            // While a batch is being handed over, that is this one.
            if (filling.number() == number && !filling.isEmpty() && !handingOver) {
                if (isSending()) {
                    // The batch could not go yet; the fuller it is then, the better.
                    watchAge(number, SENDING_MILLIS);
                } else {
                    handOver();
                }
            }
        });
    }

    private boolean isSending() {
        return inFlight != null && !inFlight.isDone();
    }

    /** Gives the filled batch to the sender as soon as the one before is sent. */
    private void handOver() throws IOException, InterruptedException {
        handingOver = true;
        settle();
        handingOver = false;
        Batch full = filling;
        filling = spare;
        spare = full;
        begin(filling);
        inFlight = send(full);
    }

    private CompletableFuture<Void> send(Batch batch) {
        CompletableFuture<Void> sent = new CompletableFuture<>();
        thread.execute(() -> {
            try {
                sender.send(batch);
                sent.complete(null);
            } catch (Throwable e) {
                sent.completeExceptionally(e);
            }
            wakeTask();
        });
        return sent;
    }

    private void wakeTask() {
        if (mailbox != null) {
            try {
                mailbox.execute(() -> {}, "batch sent");
            } catch (RejectedExecutionException e) {
                LOG.trace("The task is over", e);
            }
        }
    }

    /**
     * Waits until the batch in flight, if there is one, is sent; throws if it could not be, and then every time it is called. A timer
     * that fails does not end the task at once: a checkpoint that comes meanwhile must not pass without the batch.
     */
    private void settle() throws IOException, InterruptedException {
        if (inFlight == null) {
            return;
        }
        while (mailbox != null && !inFlight.isDone()) {
            mailbox.yield();
        }
        try {
            inFlight.get();
        } catch (ExecutionException e) {
            ExceptionUtils.rethrowIOException(e.getCause());
        }
        inFlight = null;
    }

    /** Called before each checkpoint's barrier passes, and at the end of bounded input: on return everything written is sent. */
    @Override
    public void flush(boolean endOfInput) throws IOException, InterruptedException {
        if (!filling.isEmpty()) {
            handOver();
        }
        settle();
        if (endOfInput) {
            sender.ended();
        }
    }

    /**
     * Sends nothing more: what was not flushed is not part of any checkpoint, and comes again. Throws nothing, because Flink ends the
     * whole TaskManager if closing fails after the task did, or is interrupted.
     */
    @Override
    public void close() {
        thread.shutdownNow();
        sender.close();
        try {
            if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("The thread that sends batches has not ended in {} s", CLOSE_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
