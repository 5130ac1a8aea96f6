package io.chunkroll.job.report;

import java.util.Arrays;
import java.util.OptionalDouble;

/** Middle values. */
final class Statistics {
    private Statistics() {}

    static OptionalDouble median(double[] values) {
        if (values.length == 0) {
            return OptionalDouble.empty();
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return OptionalDouble.of(sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
    }

    static OptionalDouble mean(double[] values) {
        return Arrays.stream(values).average();
    }
}
