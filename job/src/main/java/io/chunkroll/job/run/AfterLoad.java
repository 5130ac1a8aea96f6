package io.chunkroll.job.run;

import io.chunkroll.job.report.TimelinePoint;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The work that the server still did after the load, left to itself: no checkpoint is forced.
 *
 * @param seconds until it was done, or as long as it was watched
 * @param serverCpuSeconds in that time
 * @param diskWriteBytes in that time; empty where that cannot be seen
 * @param ended why watching ended
 * @param checkpointPending whether pages of the load still waited for a checkpoint, so that more is to be written
 */
record AfterLoad(
        double seconds, double serverCpuSeconds, OptionalLong diskWriteBytes, End ended, boolean checkpointPending) {
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final double SECONDS_A_LINE = 5;
    private static final double MEBI = 1 << 20;

    /** Why watching ended. */
    enum End {
        IDLE("the server is at rest"),
        LIMIT("the limit of run.watch-after is reached"),
        STOPPED("stopped by Ctrl-C");

        private final String words;

        End(String words) {
            this.words = words;
        }
    }

    /**
     * Watches the server until it has come to rest, and the timeline goes on meanwhile.
     *
     * @param limit at most so long
     * @param loadEnd the last look at the load, which has the server's CPU time
     * @param stop whether the user has had enough
     */
    static AfterLoad watch(
            Duration limit,
            TimelinePoint loadEnd,
            Sampler sampler,
            DatabaseProbe probe,
            BooleanSupplier stop,
            PrintStream out)
            throws IOException, InterruptedException {
        OptionalLong logEnd = probe.logEnd();
        IdleDetector.Reading begin = reading(loadEnd, isPending(probe, logEnd)).orElseThrow();
        IdleDetector detector = new IdleDetector(begin);
        double end = begin.seconds() + limit.toMillis() / 1e3;
        double nextLine = begin.seconds() + SECONDS_A_LINE;
        out.printf(Locale.ROOT, "The load is done; watching the server for up to %,d s%n", limit.toSeconds());
        long tick = System.nanoTime();
        while (!detector.isIdle() && !stop.getAsBoolean() && sampler.elapsed() < end) {
            tick = Math.max(tick + PERIOD.toNanos(), System.nanoTime());
            TimeUnit.NANOSECONDS.sleep(Math.min(tick - System.nanoTime(), nanosUntil(end, sampler)));
            TimelinePoint point = sampler.look(TimelinePoint.AFTER).point();
            Optional<IdleDetector.Reading> reading = reading(point, isPending(probe, logEnd));
            reading.ifPresent(detector::saw);
            if (point.elapsedSeconds() >= nextLine) {
                say(out, "Watching the server", begin, reading.orElseGet(detector::end));
                nextLine += SECONDS_A_LINE;
            }
        }
        End ended = detector.isIdle() ? End.IDLE : stop.getAsBoolean() ? End.STOPPED : End.LIMIT;
        say(out, "Watched the server, " + ended.words, begin, detector.end());
        return between(begin, detector.end(), ended);
    }

    static AfterLoad between(IdleDetector.Reading begin, IdleDetector.Reading end, End ended) {
        return new AfterLoad(
                end.seconds() - begin.seconds(),
                end.cpuSeconds() - begin.cpuSeconds(),
                begin.diskWriteBytes().isPresent() && end.diskWriteBytes().isPresent()
                        ? OptionalLong.of(end.diskWriteBytes().getAsLong()
                                - begin.diskWriteBytes().getAsLong())
                        : OptionalLong.empty(),
                ended,
                end.checkpointPending());
    }

    private static long nanosUntil(double end, Sampler sampler) {
        return Math.max(0, (long) ((end - sampler.elapsed()) * 1e9));
    }

    /** A server that does not tell counts as having none. */
    private static boolean isPending(DatabaseProbe probe, OptionalLong logEnd) {
        return logEnd.isPresent() && probe.awaitsCheckpoint(logEnd.getAsLong());
    }

    /** Empty where the server could not be seen at that moment. */
    private static Optional<IdleDetector.Reading> reading(TimelinePoint point, boolean pending) {
        return point.serverCpuSeconds().isEmpty()
                ? Optional.empty()
                : Optional.of(new IdleDetector.Reading(
                        point.elapsedSeconds(),
                        point.serverCpuSeconds().getAsDouble(),
                        point.diskWriteBytes(),
                        pending));
    }

    private static void say(PrintStream out, String what, IdleDetector.Reading begin, IdleDetector.Reading now) {
        AfterLoad so = between(begin, now, End.LIMIT);
        out.printf(
                Locale.ROOT,
                "%s: in %.1f s %.2f s of CPU%s%s%n",
                what,
                so.seconds(),
                so.serverCpuSeconds(),
                so.diskWriteBytes().isPresent()
                        ? String.format(
                                Locale.ROOT,
                                ", %,.1f MB written",
                                so.diskWriteBytes().getAsLong() / MEBI)
                        : "",
                now.checkpointPending() ? ", a checkpoint is still to come" : "");
        out.flush();
    }
}
