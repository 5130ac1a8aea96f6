package io.chunkroll.sources.fleet;

import java.time.Duration;

/**
 * What a data set is generated with where nothing is said.
 *
 * @param devices how many devices there are; of a data set without devices, how many lanes its numbered rows are dealt out to
 * @param numbered whether it has no devices: row n stands by itself, and has a time of its own, one interval after that of row n - 1
 * @param interval time from one step to the next, or from one numbered row to the next
 * @param chunkInterval the time that a chunk covers
 */
public record FleetDefaults(int devices, boolean numbered, Duration interval, Duration chunkInterval) {
    private static final Duration CHUNK = Duration.ofHours(12);
    /** Enough for a split for each of many readers. The rows do not depend on it. */
    private static final int LANES = 1_000;

    static FleetDefaults ofDevices(int devices, Duration interval) {
        return new FleetDefaults(devices, false, interval, CHUNK);
    }

    static FleetDefaults ofNumberedRows(Duration interval, Duration chunkInterval) {
        return new FleetDefaults(LANES, true, interval, chunkInterval);
    }
}
