package io.chunkroll.job.run;

import io.chunkroll.job.report.TimelinePoint;
import io.chunkroll.job.report.TimelineWriter;
import io.chunkroll.server.ServerUsage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** Looks at the job, the database and the two processes at once, and writes what the period since the last look brought. */
final class Sampler {
    private static final double NANOS = 1e9;
    private static final double MICROS_PER_MILLI = 1e3;

    /**
     * One look.
     *
     * @param point what goes into the timeline
     * @param rejects rows refused so far
     */
    record Look(TimelinePoint point, long rejects) {}

    private final RunMetrics metrics;
    private final Optional<DatabaseProbe> database;
    private final Optional<ServerUsage> server;
    private final TimelineWriter timeline;
    private final Instant start;
    private final long startNanos = System.nanoTime();
    private final double clientCpuStart = clientCpu();
    private final Optional<ServerUsage.Sample> serverStart;

    private Histogram lastLatency;
    private long lastRows;
    private long lastBytes;
    private double lastElapsed;

    Sampler(
            RunMetrics metrics,
            Optional<DatabaseProbe> database,
            Optional<ServerUsage> server,
            TimelineWriter timeline) {
        this.metrics = metrics;
        this.database = database;
        this.server = server;
        this.timeline = timeline;
        start = Instant.now();
        database.ifPresent(probe -> probe.startClock(start));
        serverStart = server.map(ServerUsage::sample);
        lastLatency = metrics.flushLatency();
    }

    /** When elapsed time began: with the first row read. */
    Instant start() {
        return start;
    }

    Look look() throws IOException {
        double elapsed = (System.nanoTime() - startNanos) / NANOS;
        double period = Math.max(1e-3, elapsed - lastElapsed);
        long rows = metrics.rowsWritten();
        long bytes = metrics.bytesWritten();
        Histogram latency = metrics.flushLatency();
        Histogram periodLatency = latency.copy();
        periodLatency.subtract(lastLatency);
        DatabaseProbe.Glance glance = database.map(DatabaseProbe::glance).orElse(DatabaseProbe.Glance.NONE);
        TimelinePoint point = new TimelinePoint(
                start.plusNanos((long) (elapsed * NANOS)),
                elapsed,
                TimelinePoint.LOAD,
                rows,
                (rows - lastRows) / period,
                OptionalDouble.of((bytes - lastBytes) / period),
                percentileMillis(periodLatency, 50),
                percentileMillis(periodLatency, 99),
                glance.chunks(),
                glance.walBytes(),
                serverCpu(),
                OptionalDouble.of(clientCpu() - clientCpuStart),
                diskWrites());
        timeline.append(point);
        lastRows = rows;
        lastBytes = bytes;
        lastElapsed = elapsed;
        lastLatency = latency;
        return new Look(point, metrics.rejects());
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

    private OptionalDouble serverCpu() {
        if (server.isEmpty() || serverStart.orElseThrow().cpuSeconds().isEmpty()) {
            return OptionalDouble.empty();
        }
        OptionalDouble now = server.get().sample().cpuSeconds();
        double begin = serverStart.get().cpuSeconds().getAsDouble();
        return now.isPresent() ? OptionalDouble.of(now.getAsDouble() - begin) : now;
    }

    private OptionalLong diskWrites() {
        if (server.isEmpty() || serverStart.orElseThrow().diskWriteBytes().isEmpty()) {
            return OptionalLong.empty();
        }
        OptionalLong now = server.get().sample().diskWriteBytes();
        long begin = serverStart.get().diskWriteBytes().getAsLong();
        return now.isPresent() ? OptionalLong.of(now.getAsLong() - begin) : now;
    }

    /** CPU seconds of this process. */
    private static double clientCpu() {
        var os = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return os.getProcessCpuTime() / NANOS;
    }
}
