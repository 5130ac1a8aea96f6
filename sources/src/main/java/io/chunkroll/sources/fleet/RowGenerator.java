package io.chunkroll.sources.fleet;

/**
 * Makes the rows of a range of devices. A device is named by its slot, its place in the range.
 *
 * <p>Every device passes its steps in order from 0, each by either {@link #skip} or {@link #write}; devices are independent of one
 * another, and so the same (seed, device, step) gives the same row however the fleet is divided. Not safe for several threads.
 */
interface RowGenerator {

    /** Takes a device past the steps from {@code fromStep} up to {@code toStep}, as if their rows had been written. */
    void skip(int slot, long fromStep, long toStep);

    /** Computes a device's next row and shows it, whole, to the writer. */
    void write(int slot, long step, FieldWriter row);
}
