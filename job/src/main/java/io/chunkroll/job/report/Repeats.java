package io.chunkroll.job.report;

import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/**
 * One figure of all repeats of a run.
 *
 * @param sorted in the order of size; those that did not measure it are not among them
 */
record Repeats(double[] sorted) {
    static Repeats of(DoubleStream values) {
        return new Repeats(values.sorted().toArray());
    }

    OptionalDouble median() {
        return Statistics.median(sorted);
    }

    int count() {
        return sorted.length;
    }

    /** Largest less smallest, as a share of the median; empty for fewer than two. */
    OptionalDouble spread() {
        return sorted.length < 2 || median().getAsDouble() <= 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((sorted[sorted.length - 1] - sorted[0]) / median().getAsDouble());
    }

    /** The median, of another's; empty where one of the two has none, or the other's is nothing. */
    OptionalDouble ratio(Repeats other) {
        OptionalDouble of = other.median();
        return median().isPresent() && of.isPresent() && of.getAsDouble() != 0
                ? OptionalDouble.of(median().getAsDouble() / of.getAsDouble())
                : OptionalDouble.empty();
    }

    /** Whether both have enough of them to tell a difference from chance. */
    boolean isComparable(Repeats other) {
        return sorted.length > 1 && other.sorted.length > 1;
    }

    /** Whether every one of them is less than every one of the other's, of which both have some. */
    boolean isBelow(Repeats other) {
        return sorted[sorted.length - 1] < other.sorted[0];
    }
}
