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
 * @param devices how many devices there are, at least 1
 * @param start time of the first step, in whole microseconds
 * @param interval time from one step to the next, in whole microseconds, at least one
 * @param seed decides every value; each seed is as good as any other
 * @param rate rows per second over all readers together; 0 means as fast as it goes
 */
public record FleetOptions(
        DataSet dataset, long rows, int devices, Instant start, Duration interval, long seed, long rate)
        implements Serializable {
    private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
    /** The end of PostgreSQL's timestamps. */
    private static final Instant LATEST = Instant.parse("+294276-12-31T23:59:59.999999Z");

    private static final long NANOS_PER_MICRO = 1_000;
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
        if (rate < 0) {
            faults.add("source.rate is " + rate + ", but must be 0 (as fast as it goes) or more");
        }
        if (start.isBefore(EARLIEST) || start.isAfter(LATEST) || !start.equals(start.truncatedTo(ChronoUnit.MICROS))) {
            faults.add("source.start is " + start + ", but must be a whole microsecond from the year 1 to 294276");
        }
        if (interval.isNegative() || interval.isZero() || !interval.equals(interval.truncatedTo(ChronoUnit.MICROS))) {
            faults.add("source.interval is " + interval + ", but must be one or more whole microseconds");
        }
        if (faults.isEmpty() && endsTooLate(rows, devices, start, interval)) {
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

    /** A step's time in microseconds since 1970-01-01 UTC. */
    long timeOf(long step) {
        return micros(start.getEpochSecond(), start.getNano())
                + step * micros(interval.getSeconds(), interval.getNano());
    }

    /** A number that differs wherever the rows would: a checkpoint of one fleet is not another's. The rate alone plays no part. */
    long fingerprint() {
        long hash = dataset.name().hashCode();
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
