package io.chunkroll.sources.fleet;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What is generated. Rows come in the order of time: all devices at {@code start}, then all at {@code start + interval}, and so on.
 *
 * @param dataset the kind of rows
 * @param rows how many rows there are in all; 0 means without end. Where the fleet's size does not divide it, the last step has rows of
 *     the first devices only
 * @param devices how many devices there are, at least 1; of a data set of numbered rows, how many lanes these are dealt out to
 * @param start time of the first step, in whole microseconds
 * @param interval time from one step to the next, or from one numbered row to the next, in whole microseconds, at least one
 * @param seed decides every value; each seed is as good as any other
 * @param rate rows per second over all readers together, and a fraction where that is less than one; 0 means as fast as it goes
 */
public record FleetOptions(
        DataSet dataset, long rows, int devices, Instant start, Duration interval, long seed, double rate)
        implements Serializable {
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    /** The end of PostgreSQL's timestamps. */
    private static final Instant LATEST = Instant.parse("+294276-12-31T23:59:59.999999Z");

    private static final long NANOS_PER_MICRO = 1_000;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long MICROS_PER_SECOND = 1_000_000;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException that names all faults at once, each with its setting's key
     */
    public FleetOptions {
        Objects.requireNonNull(dataset, "dataset");
        List<String> faults = new ArrayList<>();
        if (rows < 0) {
            faults.add("source.rows is " + rows + ", but must be 0 (without end) or more");
        }
        if (devices < 1) {
            faults.add("source.devices is " + devices + ", but must be 1 or more");
        }
        if (!(rate >= 0)) {
            faults.add("source.rate is " + rate + ", but must be 0 (as fast as it goes) or more");
        }
        if (start.isBefore(EARLIEST.plus(dataset.mostLate()))
                || start.isAfter(LATEST)
                || !start.equals(start.truncatedTo(ChronoUnit.MICROS))) {
            faults.add("source.start is " + start + ", but must be a whole microsecond from the year 1 to 294276"
                    + (dataset.mostLate().isZero() ? "" : ", the time of late rows too"));
        }
        if (interval.isNegative() || interval.isZero() || !interval.equals(interval.truncatedTo(ChronoUnit.MICROS))) {
            faults.add("source.interval is " + interval + ", but must be one or more whole microseconds");
        }
        if (dataset.defaults().numbered() && rows > NumberedRows.MOST_ROWS) {
            faults.add("source.rows is " + rows + ", but the data set " + dataset.name()
                    + " numbers its rows in a column" + " integer and has " + NumberedRows.MOST_ROWS + " at most");
        }
        if (faults.isEmpty() && endsTooLate(rows, dataset.defaults().numbered() ? 1 : devices, start, interval)) {
            faults.add("source.rows is " + rows + ", so that the last of " + devices + " devices' rows, one every "
                    + interval + ", would be later than PostgreSQL's last time, the year 294276");
        }
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", faults));
        }
    }

    private static boolean endsTooLate(long rows, int devices, Instant start, Duration interval) {
        long steps = rows / devices + 1;
        return interval.compareTo(Duration.between(start, LATEST).dividedBy(steps)) > 0;
    }

    /** The rate at which rows come where each of them comes when its time has come: one a device, or one numbered row, an interval. */
    public static double realTimeRate(DataSet dataset, int devices, Duration interval) {
        double seconds = interval.getSeconds() + interval.getNano() / NANOS_PER_SECOND;
        return (dataset.defaults().numbered() ? 1 : devices) / seconds;
    }

    /** The same with another data set. */
    FleetOptions of(DataSet other) {
        return new FleetOptions(other, rows, devices, start, interval, seed, rate);
    }

    /** Whether all times, of rows that come to an end, can be counted in nanoseconds since 1970 by a long. */
    boolean fitsNanoseconds() {
        long most = Long.MAX_VALUE / NANOS_PER_MICRO;
        return Math.abs(timeOf(0)) <= most && timeOf(rows / devices) <= most;
    }

    /** How many bytes of heap all generators of the fleet together keep, however it is divided. */
    public long stateBytes() {
        return (long) devices * dataset.bytesPerDevice();
    }

    /** Whether the rows come to an end. */
    public boolean isBounded() {
        return rows > 0;
    }

    /** How many devices, counted from the first, have a row at this step. */
    int devicesAt(long step) {
        if (!isBounded() || step < rows / devices) {
            return devices;
        }
        return step == rows / devices ? (int) (rows % devices) : 0;
    }

    /** The time of a step, or of a numbered row counted from 0, in microseconds since 1970-01-01 UTC. */
    long timeOf(long step) {
        return micros(start.getEpochSecond(), start.getNano())
                + step * micros(interval.getSeconds(), interval.getNano());
    }

    /** A number that differs wherever the rows would: a checkpoint of one fleet is not another's. The rate alone plays no part. */
    long fingerprint() {
        long hash = dataset.hashCode();
        hash = 31 * hash + devices;
        hash = 31 * hash + rows;
        hash = 31 * hash + timeOf(0);
        hash = 31 * hash + timeOf(1);
        return Randomness.key(hash, seed);
    }

    private static long micros(long seconds, int nanos) {
        return seconds * MICROS_PER_SECOND + nanos / NANOS_PER_MICRO;
    }
}
