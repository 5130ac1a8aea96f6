package io.chunkroll.sources.fleet;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/**
 * Shows rows of TSBS's data as TSBS writes them for TimescaleDB: a line of tags, {@code tags,hostname=host_0,…}, and a line of values,
 * {@code cpu,1451606400000000000,58,…}, whose first is the time in nanoseconds since 1970-01-01 UTC.
 *
 * <p>It takes rows that refer to a table of tags, and spells the tags out instead.
 */
final class TsbsFields extends TextFields {
    private static final byte[] TAGS = ascii("tags");
    private static final long NANOS_PER_MICRO = 1_000;

    private final long seed;
    private final byte[] measurement;
    private final byte[][] names;
    private final byte[][] found = FleetTags.room();
    private long lastTime;
    private byte[] lastTimeText = ascii("0");

    TsbsFields(FleetOptions fleet, int capacity) {
        super(capacity);
        seed = fleet.seed();
        measurement = ascii("\n" + fleet.dataset().tableName() + ',');
        names = FleetTags.HOSTS.names().stream()
                .map(name -> ascii(',' + name + '='))
                .toArray(byte[][]::new);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    void header(DataSet dataset) {
        String tags = FleetTags.HOSTS.names().stream()
                .map(name -> ',' + name + " string")
                .collect(Collectors.joining("", "tags", "\n"));
        byte[] header = ascii(tags + dataset.tableName() + ',' + String.join(",", CpuDataSet.METRICS) + "\n\n");
        append(header, header.length);
    }

    @Override
    public void begin() {}

    @Override
    public void timestamp(long unixMicros) {
        if (unixMicros != lastTime) {
            lastTime = unixMicros;
            lastTimeText = ascii(Long.toString(Math.multiplyExact(unixMicros, NANOS_PER_MICRO)));
        }
    }

    /** Of a row's integers there is one, its device's {@link FleetTags#id}: the line of tags, and the begin of that of values. */
    @Override
    public void int4(int tagsId) {
        int hostLength = FleetTags.find(seed, tagsId - FleetTags.id(0), found);
        append(TAGS, TAGS.length);
        for (int i = 0; i < names.length; i++) {
            append(names[i], names[i].length);
            append(found[i], i == 0 ? hostLength : found[i].length);
        }
        append(measurement, measurement.length);
        append(lastTimeText, lastTimeText.length);
    }

    @Override
    public void wholeNumber(int value) {
        append(',');
        endAt(Decimals.putSigned(room(ValueText.LONGEST), length(), value));
    }

    /** The additional tags, which TSBS's own loader would fill. */
    @Override
    public void nullField() {}

    @Override
    public void end() {
        append('\n');
    }

    @Override
    public void timestampWithoutZone(long unixMicros) {
        throw unknown("timestamp");
    }

    @Override
    public void text(byte[] utf8, int length) {
        throw unknown("text");
    }

    @Override
    public void float4(int units) {
        throw unknown("real");
    }

    @Override
    public void fixedPoint(long units) {
        throw unknown("double precision with a fraction");
    }

    @Override
    public void numeric(long units, int scale) {
        throw unknown("numeric");
    }

    @Override
    public void json(byte[] utf8, int length) {
        throw unknown("jsonb");
    }

    @Override
    public void array(byte[] ascii, int length) {
        throw unknown("array");
    }

    private static UnsupportedOperationException unknown(String type) {
        return new UnsupportedOperationException("Rows of TSBS's data have no value of type " + type);
    }
}
