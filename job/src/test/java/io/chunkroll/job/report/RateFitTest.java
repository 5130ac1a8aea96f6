package io.chunkroll.job.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.chunkroll.job.report.RateFit.Point;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RateFitTest {
    private static List<Point> points(int number, DoubleUnaryOperator rateOfRows) {
        return IntStream.range(0, number)
                .mapToDouble(i -> i * 100_000.0)
                .mapToObj(rows -> new Point(rows, rateOfRows.applyAsDouble(rows)))
                .toList();
    }

    @Test
    void findsALineExactly() {
        RateFit fit =
                RateFit.of(List.of(points(20, rows -> 200_000 - 0.01 * rows))).orElseThrow();

        assertThat(fit.perMillion()).isCloseTo(-10_000, within(1e-6));
        assertThat(fit.slopeLow()).isCloseTo(-0.01, within(1e-12));
        assertThat(fit.slopeHigh()).isCloseTo(-0.01, within(1e-12));
        assertThat(fit.rateAtStart()).isCloseTo(200_000, within(1e-6));
        assertThat(fit.isSlope()).isTrue();
    }

    @Test
    void comparesOnlyPointsOfTheSameSpan() {
        // Each sinks, while the next is higher: taken together they would rise.
        RateFit fit = RateFit.of(List.of(
                        points(10, rows -> 100_000 - 0.02 * rows),
                        points(20, rows -> 300_000 - 0.02 * rows),
                        points(40, rows -> 500_000 - 0.02 * rows)))
                .orElseThrow();

        assertThat(fit.slope()).isCloseTo(-0.02, within(1e-12));
        assertThat(fit.spans()).isEqualTo(3);
    }

    @Test
    void isNotBentByStallsAndBursts() {
        RateFit fit = RateFit.of(List.of(points(50, rows -> {
                    long number = Math.round(rows / 100_000);
                    return number % 10 == 3 ? 0 : number % 10 == 7 ? 900_000 : 200_000 - 0.01 * rows;
                })))
                .orElseThrow();

        assertThat(fit.slope()).isCloseTo(-0.01, within(0.0015));
        assertThat(fit.isSlope()).isTrue();
    }

    @Test
    void itsIntervalHoldsTheTruthNearlyAlways() {
        int held = 0;
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            RateFit fit = RateFit.of(List.of(
                            points(15, rows -> 200_000 - 0.01 * rows + 10_000 * random.nextGaussian()),
                            points(15, rows -> 150_000 - 0.01 * rows + 10_000 * random.nextGaussian())))
                    .orElseThrow();
            assertThat(fit.slope()).isBetween(fit.slopeLow(), fit.slopeHigh());
            held += fit.slopeLow() <= -0.01 && -0.01 <= fit.slopeHigh() ? 1 : 0;
        }

        assertThat(held).isBetween(180, 199);
    }

    @Test
    void seesNoSlopeInNoise() {
        Random random = new Random(11);
        RateFit fit = RateFit.of(List.of(points(60, rows -> 100_000 + 20_000 * random.nextGaussian())))
                .orElseThrow();

        assertThat(fit.isSlope()).isFalse();
    }

    @Test
    void seesNoSlopeInAFlatRate() {
        RateFit fit = RateFit.of(List.of(points(30, rows -> 100_000))).orElseThrow();

        assertThat(fit.slope()).isZero();
        assertThat(fit.isSlope()).isFalse();
    }

    @Test
    void fitsNothingThroughFourPoints() {
        assertThat(RateFit.of(List.of(points(4, rows -> rows), points(0, rows -> rows))))
                .isEmpty();
        assertThat(RateFit.of(List.of())).isEmpty();
        assertThat(RateFit.of(List.of(points(4, rows -> rows), points(5, rows -> 2 * rows)))
                        .orElseThrow()
                        .spans())
                .isEqualTo(1);
    }
}
