package io.chunkroll.sources.fleet;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The rows of the cpu data. Each metric of each host starts uniform in 0..100 and walks by a standard normal number a step, clamped to
 * 0..100; a step at the wall stays at the wall.
 */
final class CpuRows implements RowGenerator {
    private static final int METRICS = CpuDataSet.METRICS.size();
    private static final byte[] PREFIX = "host_".getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST_NUMBER = 10;

    private final FleetOptions fleet;
    private final int firstDevice;
    private final long[] walks;
    private final byte[] host = Arrays.copyOf(PREFIX, PREFIX.length + LONGEST_NUMBER);

    CpuRows(FleetOptions fleet, int firstDevice, int devices) {
        this.fleet = fleet;
        this.firstDevice = firstDevice;
        walks = new long[Math.multiplyExact(devices, METRICS)];
    }

    @Override
    public void skip(int slot, long fromStep, long toStep) {
        for (long step = fromStep; step < toStep; step++) {
            walk(slot, step);
        }
    }

    @Override
    public void write(int slot, long step, FieldWriter row) {
        walk(slot, step);
        row.begin();
        row.timestamp(fleet.timeOf(step));
        row.text(host, nameHost(firstDevice + slot));
        int from = slot * METRICS;
        for (int i = from; i < from + METRICS; i++) {
            row.fixedPoint(walks[i]);
        }
        row.end();
    }

    private void walk(int slot, long step) {
        long key = Randomness.key(fleet.seed(), firstDevice + slot);
        int from = slot * METRICS;
        long word = step * METRICS;
        if (step == 0) {
            for (int i = 0; i < METRICS; i++) {
                walks[from + i] = Math.floorMod(Randomness.word(key, word + i), FixedPoint.HUNDRED + 1);
            }
            return;
        }
        for (int i = 0; i < METRICS; i++) {
            double move = Normal.of(Randomness.word(key, word + i));
            walks[from + i] = FixedPoint.clamp(walks[from + i] + (long) (move * FixedPoint.ONE));
        }
    }

    /** Writes the host's name and returns its length. */
    private int nameHost(int device) {
        int length = PREFIX.length + Decimals.digits(device);
        Decimals.put(host, length, device);
        return length;
    }
}
