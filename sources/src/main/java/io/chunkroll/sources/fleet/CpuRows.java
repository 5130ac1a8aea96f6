package io.chunkroll.sources.fleet;

/**
 * The rows of the cpu data. Each metric of each host starts uniform in 0..100 and walks by a standard normal number a step, clamped to
 * 0..100; a step at the wall stays at the wall.
 */
final class CpuRows implements RowGenerator {
    private static final int METRICS = CpuDataSet.METRICS.size();

    private final FleetOptions fleet;
    private final int firstDevice;
    private final long[] walks;
    private final byte[] host = FleetTags.room()[0];

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
        row.text(host, FleetTags.nameHost(host, firstDevice + slot));
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
}
