package io.chunkroll.sources.fleet;

/**
 * Makes rows that stand by themselves: row n, the n-th in the order of steps and devices, follows from the seed and n alone, however many
 * devices they are dealt out to.
 */
abstract class NumberedRows implements RowGenerator {
    /** Rows carry their number in an {@code integer}. */
    static final long MOST_ROWS = Integer.MAX_VALUE;

    private final FleetOptions fleet;
    private final int firstDevice;

    NumberedRows(FleetOptions fleet, int firstDevice) {
        this.fleet = fleet;
        this.firstDevice = firstDevice;
    }

    @Override
    public final void skip(int slot, long fromStep, long toStep) {}

    @Override
    public final void write(int slot, long step, FieldWriter row) {
        long n = step * fleet.devices() + firstDevice + slot;
        if (n >= MOST_ROWS) {
            throw new IllegalStateException("The data set " + fleet.dataset().name()
                    + " has no more than " + MOST_ROWS
                    + " rows, for they are numbered in a column integer: give that many"
                    + " source.rows at most");
        }
        write((int) n + 1, fleet.timeOf(n), Randomness.key(fleet.seed(), n), row);
    }

    /**
     * Shows a row.
     *
     * @param number its number, counted from 1
     * @param unixMicros its time
     * @param key of its stream of random words
     */
    abstract void write(int number, long unixMicros, long key, FieldWriter row);
}
