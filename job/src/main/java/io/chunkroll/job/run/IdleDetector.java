package io.chunkroll.job.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * Tells when a server that is left alone has come to rest: when over {@link #WINDOW_SECONDS} it took less than {@link #IDLE_CORES} of
 * a core and wrote less than {@link #IDLE_BYTES_PER_SECOND}, and no checkpoint that would write the load's pages is outstanding.
 */
final class IdleDetector {
    static final double WINDOW_SECONDS = 5;
    /** What its own clocks and our looks at it take is well below. */
    static final double IDLE_CORES = 0.02;

    static final double IDLE_BYTES_PER_SECOND = 64 << 10;

    /**
     * What the server had done at some moment.
     *
     * @param seconds of the run
     * @param cpuSeconds so far
     * @param diskWriteBytes so far; empty where that cannot be seen, and then does not count
     * @param checkpointPending whether pages of the load still wait for a checkpoint
     */
    record Reading(double seconds, double cpuSeconds, OptionalLong diskWriteBytes, boolean checkpointPending) {}

    private final Deque<Reading> window = new ArrayDeque<>();

    /** Begins with the load's end. */
    IdleDetector(Reading loadEnd) {
        window.add(loadEnd);
    }

    void saw(Reading reading) {
        window.addLast(reading);
        while (window.size() > 2 && reading.seconds() - second().seconds() >= WINDOW_SECONDS) {
            window.removeFirst();
        }
    }

    private boolean spansWindow() {
        return last().seconds() - window.getFirst().seconds() >= WINDOW_SECONDS;
    }

    private Reading second() {
        return window.stream().skip(1).findFirst().orElseThrow();
    }

    boolean isIdle() {
        Reading first = window.getFirst();
        double seconds = last().seconds() - first.seconds();
        return spansWindow()
                && !first.checkpointPending()
                && !last().checkpointPending()
                && last().cpuSeconds() - first.cpuSeconds() < IDLE_CORES * seconds
                && written(first) < IDLE_BYTES_PER_SECOND * seconds;
    }

    private double written(Reading first) {
        return first.diskWriteBytes().isPresent() && last().diskWriteBytes().isPresent()
                ? last().diskWriteBytes().getAsLong() - first.diskWriteBytes().getAsLong()
                : 0;
    }

    /** The moment at which its work was done: once it is idle the beginning of its rest, before that the last one seen. */
    Reading end() {
        return isIdle() ? window.getFirst() : last();
    }

    private Reading last() {
        return window.getLast();
    }
}
