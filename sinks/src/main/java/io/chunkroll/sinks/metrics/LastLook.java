package io.chunkroll.sinks.metrics;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Lets those who look at metrics from time to time see the last values: a task's metrics end with it, and what it counted after their last
 * look nobody would ever know. So a task that has done all its work stays till the next look, if they look often.
 *
 * <p>Looks come from Flink's metric threads, the wait is the task's.
 */
final class LastLook {
    /** Who looks more rarely is not waited for, and a wait is not longer than twice this. */
    static final Duration OFTEN = Duration.ofSeconds(3);

    private long looks;
    private long last;
    private long interval = Long.MAX_VALUE;

    /** Somebody looks. */
    synchronized void looked() {
        long now = System.nanoTime();
        interval = looks == 0 ? Long.MAX_VALUE : now - last;
        last = now;
        looks++;
        notifyAll();
    }

    /** Waits for the next look: twice as long as it was from the last but one to the last, not at all if that was long, or is long ago. */
    synchronized void await() {
        if (interval > OFTEN.toNanos()) {
            return;
        }
        long seen = looks;
        long end = last + 2 * interval;
        try {
            for (long left = end - System.nanoTime(); looks == seen && left > 0; left = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, 1_000_000));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
