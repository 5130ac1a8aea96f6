package io.chunkroll.job.run;

import io.chunkroll.job.report.TimelinePoint;
import io.chunkroll.job.report.TimelineWriter;
import io.chunkroll.server.ServerUsage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** Looks at the job, the database and the two processes at once, and writes what the period since the last look brought. */
final class Sampler {
    private static final double NANOS = 1e9;
    private static final double MICROS_PER_MILLI = 1e3;
    private static final ServerUsage.Sample NOT_MEASURED =
            new ServerUsage.Sample(OptionalDouble.empty(), OptionalLong.empty());

    /**
     * One look.
     *
     * @param point what goes into the timeline
     * @param rejects rows refused so far, as far as they are told of for good
     * @param skipped rows left out so far because their key was there already
     * @param replaced rows so far that took the place of another
     * @param filtered rows left out so far by the user's function or by {@code sink.where}
     */
    record Look(TimelinePoint point, long rejects, long skipped, long replaced, long filtered) {}

    private final JobMetrics metrics;
    private final Optional<DatabaseProbe> database;
    private final Optional<ServerUsage> server;
    private final TimelineWriter timeline;
    private final Rejects rejects;
    private final Onlooker onlooker;
    private final Instant start;
    private final long startNanos;
    private final OptionalDouble clientCpuStart;

    private Histogram lastLatency;
    private long lastRows;
    private long lastBytes;
    private double lastElapsed;

    /**
     * @param server what the server takes from now on; empty where that cannot be measured
     * @param start when the first row was read
     * @param onlooker is told of each look
     */
    Sampler(
            JobMetrics metrics,
            Optional<DatabaseProbe> database,
            Optional<ServerUsage> server,
            TimelineWriter timeline,
            Rejects rejects,
            Instant start,
            Onlooker onlooker) {
        this.metrics = metrics;
        this.database = database;
        this.server = server;
        this.timeline = timeline;
        this.rejects = rejects;
        this.onlooker = onlooker;
        this.start = start;
        startNanos = System.nanoTime() - Duration.between(start, Instant.now()).toNanos();
        clientCpuStart = metrics.clientCpuSeconds();
        database.ifPresent(probe -> probe.startClock(start));
        lastLatency = metrics.flushLatency();
    }

    /** When elapsed time began: with the first row read. */
    Instant start() {
        return start;
    }

    /** Seconds since then. */
    double elapsed() {
        return (System.nanoTime() - startNanos) / NANOS;
    }

    /** A look while rows are loaded. */
    Look look() throws IOException {
        return look(TimelinePoint.LOAD);
    }

    Look look(String phase) throws IOException {
        double elapsed = elapsed();
        double period = Math.max(1e-3, elapsed - lastElapsed);
        // A writer that has just been restarted may not have its count back yet.
        long rows = Math.max(lastRows, metrics.rowsWritten());
        long bytes = Math.max(lastBytes, metrics.bytesWritten());
        Histogram latency = metrics.flushLatency();
        Histogram periodLatency = latency.copy();
        periodLatency.subtract(lastLatency);
        DatabaseProbe.Glance glance = database.map(DatabaseProbe::glance).orElse(DatabaseProbe.Glance.NONE);
        ServerUsage.Sample usage = server.map(ServerUsage::sample).orElse(NOT_MEASURED);
        TimelinePoint point = new TimelinePoint(
                start.plusNanos((long) (elapsed * NANOS)),
                elapsed,
                phase,
                rows,
                (rows - lastRows) / period,
                OptionalDouble.of((bytes - lastBytes) / period),
                percentileMillis(periodLatency, 50),
                percentileMillis(periodLatency, 99),
                glance.chunks(),
                glance.walBytes(),
                usage.cpuSeconds(),
                clientCpu(),
                usage.diskWriteBytes(),
                glance.sizes().tableBytes(),
                glance.sizes().indexBytes());
        timeline.append(point);
        onlooker.saw(point, database.map(DatabaseProbe::rolls).orElse(List.of()));
        lastRows = rows;
        lastBytes = bytes;
        lastElapsed = elapsed;
        lastLatency = latency;
        return new Look(point, rejects.rows(), metrics.rowsSkipped(), metrics.rowsReplaced(), metrics.rowsFiltered());
    }

    private OptionalDouble clientCpu() {
        OptionalDouble now = metrics.clientCpuSeconds();
        return now.isPresent() && clientCpuStart.isPresent()
                ? OptionalDouble.of(now.getAsDouble() - clientCpuStart.getAsDouble())
                : OptionalDouble.empty();
    }

    /** Seconds from the first row read to the last commit; none where nothing was committed. */
    OptionalDouble seconds() {
        long last = metrics.lastCommitMillis();
        return last == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.max(
                        0.001,
                        Duration.between(start, Instant.ofEpochMilli(last)).toMillis() / 1e3));
    }

    static OptionalDouble percentileMillis(Histogram micros, double percentile) {
        return micros.getTotalCount() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(micros.getValueAtPercentile(percentile) / MICROS_PER_MILLI);
    }
}
