package io.chunkroll.sources.fleet;

/**
 * The rows of TSBS's cpu-only data. A metric walks as that of the cpu data does and is shown without its fraction, as TSBS shows it.
 *
 * <p>Because the fraction is never seen, a walk is kept in two bytes, in units of 1/512 of a percent: a step has a standard deviation of
 * 512 units, and ten million hosts need 200 MB.
 */
final class TsbsCpuRows implements RowGenerator {
    private static final int METRICS = CpuDataSet.METRICS.size();
    private static final int FRACTION_BITS = 9;
    private static final int ONE = 1 << FRACTION_BITS;
    private static final int HUNDRED = 100 * ONE;

    private final FleetOptions fleet;
    private final TagPlace tags;
    private final int firstDevice;
    private final char[] walks;
    private final byte[][] found = FleetTags.room();

    TsbsCpuRows(FleetOptions fleet, TagPlace tags, int firstDevice, int devices) {
        this.fleet = fleet;
        this.tags = tags;
        this.firstDevice = firstDevice;
        walks = new char[Math.multiplyExact(devices, METRICS)];
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
        int device = firstDevice + slot;
        row.begin();
        row.timestamp(fleet.timeOf(step));
        if (tags == TagPlace.TABLE) {
            row.int4(FleetTags.id(device));
        } else {
            writeTags(device, row);
        }
        int from = slot * METRICS;
        for (int i = from; i < from + METRICS; i++) {
            row.wholeNumber(walks[i] >> FRACTION_BITS);
        }
        if (tags == TagPlace.TABLE) {
            row.nullField();
        }
        row.end();
    }

    private void writeTags(int device, FieldWriter row) {
        row.text(found[0], FleetTags.find(fleet.seed(), device, found));
        for (int i = 1; i < found.length; i++) {
            row.text(found[i], found[i].length);
        }
    }

    private void walk(int slot, long step) {
        long key = Randomness.key(fleet.seed(), firstDevice + slot);
        int from = slot * METRICS;
        long word = step * METRICS;
        for (int i = 0; i < METRICS; i++) {
            long random = Randomness.word(key, word + i);
            int place = step == 0
                    ? Randomness.below(HUNDRED + 1, random)
                    : walks[from + i] + (int) (Normal.of(random) * ONE);
            walks[from + i] = (char) Math.max(0, Math.min(HUNDRED, place));
        }
    }
}
