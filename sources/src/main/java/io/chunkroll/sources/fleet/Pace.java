package io.chunkroll.sources.fleet;

import java.util.function.LongSupplier;

/**
 * Spreads rows evenly over time, a small batch at once, so that the cost of asking is not one per row.
 *
 * <p>What was missed in a short pause is made up for. After a pause of more than a second it is forgotten, lest a burst follow. Not
 * safe for several threads.
 */
final class Pace {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long FORGET_AFTER_NANOS = 1_000_000_000L;
    /** Rows are given out about a hundred times a second. */
    private static final double BATCHES_PER_SECOND = 100;

    private final double rate;
    private final LongSupplier nanoClock;
    private final int maxBatch;
    private final int batch;
    /** Rows are due since then, at this rate. */
    private long origin;

    private long taken;

    /**
     * @param rate rows per second, more than 0
     * @param maxBatch how many rows {@link #due()} gives out at most
     */
    Pace(double rate, int maxBatch, LongSupplier nanoClock) {
        this.rate = rate;
        this.maxBatch = maxBatch;
        this.nanoClock = nanoClock;
        batch = (int) Math.max(1, Math.min(maxBatch, rate / BATCHES_PER_SECOND));
        origin = nanoClock.getAsLong();
    }

    /** How many rows may go out now: none until a batch has come together, {@code maxBatch} at most. */
    int due() {
        long now = nanoClock.getAsLong();
        if (now - dueTime(0) > FORGET_AFTER_NANOS + (long) (batch / rate * NANOS_PER_SECOND)) {
            origin = now;
            taken = 0;
        }
        if (now < dueTime(batch)) {
            return 0;
        }
        double owed = (now - origin) / NANOS_PER_SECOND * rate - taken;
        return (int) Math.max(batch, Math.min(maxBatch, owed));
    }

    /** Notes that rows have gone out. */
    void take(int rows) {
        taken += rows;
    }

    /** How long it is until the next batch has come together, at least 1. */
    long nanosUntilDue() {
        return Math.max(1, dueTime(batch) - nanoClock.getAsLong());
    }

    /** When so many further rows are due. */
    private long dueTime(int rows) {
        return origin + (long) Math.ceil((taken + rows) / rate * NANOS_PER_SECOND);
    }
}
