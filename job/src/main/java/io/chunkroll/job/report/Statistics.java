package io.chunkroll.job.report;

import java.util.Arrays;
import java.util.OptionalDouble;

/** Middle values, and how far others lie from them. */
final class Statistics {
    private static final double HALF = 0.5;

    private Statistics() {}

    static OptionalDouble median(double[] values) {
        return quantile(HALF, values);
    }

    /** The value below which this share of the values lies, drawn straight between the two next to it (type 7 of Hyndman and Fan). */
    static OptionalDouble quantile(double share, double[] values) {
        if (values.length == 0) {
            return OptionalDouble.empty();
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return OptionalDouble.of(quantile(sorted, share));
    }

    /** Likewise, of values in order, of which there must be some. */
    static double quantile(double[] sorted, double share) {
        double place = share * (sorted.length - 1);
        int below = (int) Math.floor(place);
        int above = Math.min(sorted.length - 1, below + 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
