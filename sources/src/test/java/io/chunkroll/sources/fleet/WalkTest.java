package io.chunkroll.sources.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.chunkroll.rows.Tuple;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fixed seeds, so that chance fails no test; the bounds are four to five standard errors wide. */
class WalkTest {
    private static final int DRAWS = 4_000_000;

    @Test
    void normalNumbersHaveTheMomentsAndTailsOfTheNormalDistribution() {
        double[] sums = new double[5];
        long[] beyond = new long[5];
        double largest = 0;
        long key = Randomness.key(1, 2);
        for (int n = 0; n < DRAWS; n++) {
            double x = Normal.of(Randomness.word(key, n));
            double power = 1;
            for (int i = 0; i < sums.length; i++) {
                sums[i] += power;
                power *= x;
            }
            for (int i = 1; i < beyond.length; i++) {
                beyond[i] += Math.abs(x) > i ? 1 : 0;
            }
            largest = Math.max(largest, Math.abs(x));
        }
        assertThat(sums[1] / DRAWS).as("mean").isCloseTo(0, within(0.0025));
        assertThat(sums[2] / DRAWS).as("variance").isCloseTo(1, within(0.0035));
        assertThat(sums[3] / DRAWS).as("skewness").isCloseTo(0, within(0.01));
        assertThat(sums[4] / DRAWS).as("kurtosis").isCloseTo(3, within(0.025));
        double[] expected = {1, 0.3173105, 0.0455003, 0.0026998, 0.00006334};
        for (int i = 1; i < beyond.length; i++) {
            double error = 4.5 * Math.sqrt(expected[i] / DRAWS);
            assertThat((double) beyond[i] / DRAWS).as("beyond %d", i).isCloseTo(expected[i], within(error));
        }
        assertThat(largest).isBetween(4.6, 6.5);
    }

    /** In each of these bins of 0.05 the share of numbers is the normal density's: a layer out of place would show. */
    @Test
    void normalNumbersHaveTheNormalShape() {
        double width = 0.05;
        int bins = 80;
        long[] counts = new long[2 * bins];
        long key = Randomness.key(3, 4);
        for (int n = 0; n < DRAWS; n++) {
            int bin = (int) Math.floor(Normal.of(Randomness.word(key, n)) / width) + bins;
            if (bin >= 0 && bin < counts.length) {
                counts[bin]++;
            }
        }
        double chiSquared = 0;
        for (int i = 0; i < counts.length; i++) {
            double x = (i - bins + 0.5) * width;
            // Simpson's rule over the bin.
            double share = width / 6 * (density(x - width / 2) + 4 * density(x) + density(x + width / 2));
            chiSquared += Math.pow(counts[i] - DRAWS * share, 2) / (DRAWS * share);
        }
        assertThat(chiSquared / counts.length).isBetween(0.6, 1.5);
    }

    private static double density(double x) {
        return Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
    }

    @Test
    void aWalkStartsAnywhereAndMovesByStandardSteps() {
        int devices = 20_000;
        List<Tuple> rows = Rows.all(Fleets.cpu(2L * devices, devices));
        double[] starts = new double[10 * devices];
        double[] moves = new double[10 * devices];
        int free = 0;
        for (int device = 0; device < devices; device++) {
            double[] first = Rows.metrics(rows.get(device));
            double[] second = Rows.metrics(rows.get(devices + device));
            for (int i = 0; i < first.length; i++) {
                starts[10 * device + i] = first[i];
                if (first[i] > 7 && first[i] < 93) {
                    moves[free++] = second[i] - first[i];
                }
            }
        }
        assertThat(mean(starts)).isCloseTo(50, within(0.3));
        assertThat(variance(starts)).isCloseTo(10_000 / 12.0, within(8.0));
        double[] freeMoves = Arrays.copyOf(moves, free);
        assertThat(mean(freeMoves)).isCloseTo(0, within(0.012));
        assertThat(variance(freeMoves)).isCloseTo(1, within(0.017));
    }

    @Test
    void walksStayWithinTheirWallsAndReachThem() {
        double lowest = 50;
        double highest = 50;
        for (Tuple row : Rows.all(Fleets.cpu(50_000, 10))) {
            for (double metric : Rows.metrics(row)) {
                lowest = Math.min(lowest, metric);
                highest = Math.max(highest, metric);
            }
        }
        assertThat(lowest).isZero();
        assertThat(highest).isEqualTo(100);
    }

    @Test
    void neighboursDoNotMoveTogether() {
        List<Tuple> rows = Rows.all(Fleets.cpu(20_000, 2));
        double sum = 0;
        int n = 0;
        for (int i = 2; i + 1 < rows.size(); i += 2) {
            double[] a = difference(rows.get(i), rows.get(i - 2));
            double[] b = difference(rows.get(i + 1), rows.get(i - 1));
            for (int m = 0; m + 1 < a.length; m++) {
                sum += a[m] * b[m] + a[m] * a[m + 1];
                n += 2;
            }
        }
        assertThat(sum / n).isCloseTo(0, within(0.015));
    }

    private static double[] difference(Tuple later, Tuple earlier) {
        double[] difference = Rows.metrics(later);
        double[] before = Rows.metrics(earlier);
        for (int i = 0; i < difference.length; i++) {
            difference[i] -= before[i];
        }
        return difference;
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double variance(double[] values) {
        double mean = mean(values);
        return Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .average()
                .orElseThrow();
    }
}
