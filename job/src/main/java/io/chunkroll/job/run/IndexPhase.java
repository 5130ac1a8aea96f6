package io.chunkroll.job.run;

import io.chunkroll.job.report.TimelinePoint;
import io.chunkroll.sinks.table.BulkLoad;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a bulk load, in which indexes are built and partitions attached while the timeline goes on.
 *
 * @param seconds how long it took
 * @param readySeconds from the first row read to its end
 * @param done what was done; empty after a failure
 * @param failure why not all was done
 */
record IndexPhase(double seconds, double readySeconds, Optional<BulkLoad.Finished> done, Optional<String> failure) {
    private static final Logger LOG = LoggerFactory.getLogger(IndexPhase.class);
    private static final double NANOS = 1e9;
    private static final int LOOKS_A_LINE = 5;

    static IndexPhase run(BulkLoad bulk, int connections, OptionalLong memory, Sampler sampler, PrintStream out)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        out.printf(Locale.ROOT, "All rows are committed after %.1f s; building indexes%n", sampler.elapsed());
        CompletableFuture<BulkLoad.Finished> finish = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        finish.complete(bulk.finish(connections, memory));
                    } catch (Throwable e) {
                        finish.completeExceptionally(e);
                    }
                },
                "index phase");
        thread.setDaemon(true);
        thread.start();
        for (int look = 1; !await(finish, Duration.ofSeconds(1)); look++) {
            sampler.look(TimelinePoint.AFTER);
            if (look % LOOKS_A_LINE == 0) {
                out.printf(Locale.ROOT, "Building indexes for %.0f s%n", since(begin));
            }
        }
        double seconds = since(begin);
        double ready = sampler.elapsed();
        try {
            BulkLoad.Finished done = finish.get();
            out.printf(
                    Locale.ROOT,
                    "Indexes are ready after %.1f s more: %s%n",
                    seconds,
                    done.partitions() > 0
                            ? done.partitions() + " partitions indexed and attached"
                            : done.indexes() + " built");
            return new IndexPhase(seconds, ready, Optional.of(done), Optional.empty());
        } catch (ExecutionException e) {
            LOG.error("The indexes could not be built", e.getCause());
            return new IndexPhase(
                    seconds,
                    ready,
                    Optional.empty(),
                    Optional.of("The rows are committed, but not all indexes could be built. "
                            + Failures.explain(e.getCause())));
        }
    }

    private static boolean await(CompletableFuture<?> future, Duration patience) throws InterruptedException {
        try {
            future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return true;
        }
    }

    private static double since(long begin) {
        return (System.nanoTime() - begin) / NANOS;
    }

    /** Of so many rows, those that went into partitions that were there before; none where it had no partitions to load. */
    OptionalLong rowsLive(long written) {
        return done.isPresent() && done.get().partitions() > 0
                ? OptionalLong.of(Math.max(0, written - done.get().partitionRows()))
                : OptionalLong.empty();
    }
}
