package io.chunkroll.job.report;

import static io.chunkroll.job.report.SyntheticRun.sawtooth;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fit, period and stalls of loads whose answers are known. */
class SawtoothFiguresTest {
    /** What each row costs of the rate. */
    private static final double LOSS = 0.01;

    /** A rate that sinks by the same for each row, from 180,000 at the begin of each chunk of so many seconds. */
    private static DoubleUnaryOperator sinking(double chunkSeconds) {
        return second -> 180_000 * Math.exp(-LOSS * (second % chunkSeconds));
    }

    /** How many rows come in so many seconds of it. */
    private static double rowsOf(double seconds) {
        return 180_000 / LOSS * (1 - Math.exp(-LOSS * seconds));
    }

    private static DoubleUnaryOperator stalled(DoubleUnaryOperator rate, double from, double to) {
        return second -> second > from && second < to ? 0 : rate.applyAsDouble(second);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.25, 1, 2})
    void fitsAPerfectSawtooth(double period) {
        Sawtooth found =
                SyntheticRun.of("saw", 160, period, sinking(40)).chunksEvery(40).sawtooth();

        RateFit fit = found.chunkFit().orElseThrow();
        assertThat(fit.spans()).isEqualTo(4);
        assertThat(fit.perMillion()).isCloseTo(-10_000, within(20.0));
        assertThat(fit.slopeHigh() - fit.slopeLow()).isBetween(0.0, 1e-4);
        assertThat(fit.rateAtStart()).isCloseTo(180_000, within(200.0));
        assertThat(found.periodRows().getAsDouble()).isCloseTo(rowsOf(40), within(2_000.0));
        assertThat(found.fittedDrop().getAsDouble()).isCloseTo(1 - Math.exp(-LOSS * 40), within(0.002));
        assertThat(found.lowDrop().getAsDouble()).isCloseTo(found.highDrop().getAsDouble(), within(0.002));
        assertThat(found.stallSeconds()).hasValue(0);
        assertThat(found.stallElsewhereSeconds()).isZero();
        assertThat(found.resolutionSeconds()).isEqualTo(period);
        assertThat(found.chunksInTurn()).isTrue();
    }

    @Test
    void fitsThroughNoise() {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            Sawtooth found = SyntheticRun.of(
                            "noisy",
                            240,
                            1,
                            second -> sinking(40).applyAsDouble(second) * (1 + 0.1 * random.nextGaussian()))
                    .chunksEvery(40)
                    .sawtooth();

            assertThat(found.chunkFit().orElseThrow().slope())
                    .as("seed %s", seed)
                    .isCloseTo(-LOSS, within(0.003));
            assertThat(found.chunkFit().orElseThrow().isSlope()).isTrue();
            assertThat(found.lowDrop().getAsDouble())
                    .isLessThan(found.medianDrop().getAsDouble());
            assertThat(found.highDrop().getAsDouble())
                    .isGreaterThan(found.medianDrop().getAsDouble());
        }
    }

    @Test
    void aSingleChunkHasAFitAndNoPeriod() {
        Sawtooth found =
                SyntheticRun.of("one", 40, 1, sinking(40)).chunksEvery(40).sawtooth();

        assertThat(found.rolls()).isZero();
        assertThat(found.periodRows()).isEmpty();
        assertThat(found.stallSeconds()).isEmpty();
        assertThat(found.fittedDrop()).isEmpty();
        assertThat(found.chunkFit().orElseThrow().slope()).isCloseTo(-LOSS, within(1e-4));
    }

    @Test
    void aChunkThatTheLoadsEndCutsOffHasNoPartInThePeriod() {
        // The third is cut off when it is nearly full: its rows are fewer, its rates count.
        Sawtooth found =
                SyntheticRun.of("cut", 115, 1, sinking(40)).chunksEvery(40).sawtooth();

        assertThat(found.chunks()).hasSize(3).allMatch(ChunkRates::full);
        assertThat(found.periodRows().getAsDouble()).isCloseTo(rowsOf(40), within(1_000.0));
        assertThat(found.chunks().get(2).stallSeconds()).isEmpty();
    }

    @Test
    void aChunkThatWasThereBeforeHasNoPartInThePeriod() {
        Sawtooth found =
                SyntheticRun.of("goes on", 60, 1, second -> 1_000).roll(40).sawtooth();

        assertThat(found.rolls()).isEqualTo(1);
        assertThat(found.periodRows()).isEmpty();
    }

    @Test
    void takesTwoChunksOfTheSameTimeForOne() {
        // As with a second dimension, the second of them made when its first row comes, some seconds later.
        Sawtooth found = SyntheticRun.of("two at once", 120, 1, sinking(40))
                .roll(0, 0)
                .roll(3, 0)
                .roll(40, 1)
                .roll(44, 1)
                .roll(80, 2)
                .roll(81.5, 2)
                .sawtooth();

        assertThat(found.rolls()).isEqualTo(2);
        assertThat(found.chunks()).allMatch(ChunkRates::full);
        assertThat(found.chunkFit().orElseThrow().slope()).isCloseTo(-LOSS, within(1e-4));
        assertThat(found.chunksInTurn()).isTrue();
    }

    @Test
    void tellsChunksThatAreFilledAtOnceFromThoseInTurn() {
        // Two files read side by side, one of January and one of June.
        Sawtooth found = SyntheticRun.of("two files", 120, 1, second -> 100_000)
                .roll(0, 0)
                .roll(20, 600)
                .roll(40, 1)
                .roll(60, 601)
                .roll(80, 2)
                .roll(100, 602)
                .sawtooth();

        assertThat(found.rolls()).isEqualTo(5);
        assertThat(found.chunksInTurn()).isFalse();
    }

    @Test
    void fitsAPlainDecline() {
        Sawtooth found = SyntheticRun.of("plain", 120, 1, sinking(1_000)).sawtooth();

        assertThat(found.chunkFit()).isEmpty();
        RateFit fit = found.loadFit().orElseThrow();
        assertThat(fit.perMillion()).isCloseTo(-10_000, within(20.0));
        assertThat(fit.rateAtStart()).isCloseTo(180_000, within(100.0));
        assertThat(fit.isSlope()).isTrue();
    }

    @Test
    void fitsALoadOfTwoHoursByItsNeighbourhoods() {
        double loss = 1e-4;
        Sawtooth found = SyntheticRun.of("long", 7_200, 1, second -> 180_000 * Math.exp(-loss * second))
                .sawtooth();

        assertThat(found.loadFit().orElseThrow().slope()).isCloseTo(-loss, within(1e-7));
    }

    @Test
    void seesNoSlopeInAFlatRate() {
        Sawtooth found = SyntheticRun.of("flat", 120, 1, second -> 100_000).sawtooth();

        assertThat(found.loadFit().orElseThrow().isSlope()).isFalse();
    }

    @Test
    void measuresTheLongestStallAtARoll() {
        DoubleUnaryOperator rate = stalled(stalled(sinking(40), 40, 42), 80, 83.5);
        Sawtooth found =
                SyntheticRun.of("stalls", 160, 0.5, rate).chunksEvery(40).sawtooth();

        assertThat(found.chunks().get(0).stallSeconds()).hasValue(2);
        assertThat(found.chunks().get(1).stallSeconds()).hasValue(3.5);
        assertThat(found.chunks().get(2).stallSeconds()).hasValue(0);
        assertThat(found.chunks().get(3).stallSeconds()).isEmpty();
        assertThat(found.stallSeconds()).hasValue(3.5);
        assertThat(found.chunkFit().orElseThrow().slope()).isCloseTo(-LOSS, within(1e-3));
    }

    @Test
    void aStallBeforeTheRollIsItsOwn() {
        Sawtooth found = SyntheticRun.of("before", 80, 0.5, stalled(sinking(40), 37.5, 40))
                .chunksEvery(40)
                .sawtooth();

        assertThat(found.stallSeconds()).hasValue(2.5);
    }

    @Test
    void tellsStallsElsewhereFromThoseAtRolls() {
        Sawtooth found = SyntheticRun.of("elsewhere", 120, 1, stalled(sinking(40), 60, 67))
                .chunksEvery(40)
                .sawtooth();

        assertThat(found.stallSeconds()).hasValue(0);
        assertThat(found.stallElsewhereSeconds()).isEqualTo(7);
    }

    @Test
    void aRestartWhoseCountsBeginAtNothingIsAStallAndNoOtherFault() {
        SyntheticRun run = SyntheticRun.of("before restart", 60, 1, second -> 100_000)
                .roll(0)
                .roll(40);
        for (int second = 61; second <= 64; second++) {
            run.point(SyntheticRun.point(second, TimelinePoint.LOAD, 0, 0));
        }
        for (int second = 65; second <= 100; second++) {
            run.point(SyntheticRun.point(second, TimelinePoint.LOAD, 100_000L * (second - 4), 100_000));
        }
        Sawtooth found = run.sawtooth();

        assertThat(found.stallSeconds()).hasValue(0);
        assertThat(found.stallElsewhereSeconds()).isEqualTo(4);
        assertThat(found.chunkFit().orElseThrow().isSlope()).isFalse();
        assertThat(found.meanRate().getAsDouble()).isCloseTo(96_000, within(1.0));
    }

    @Test
    void severalRollsWithinASecondAreOne() {
        Sawtooth found = SyntheticRun.of("quick", 60, 1, second -> 1_000)
                .roll(0)
                .roll(0.4)
                .roll(0.8)
                .roll(30)
                .roll(30.3)
                .roll(30.6)
                .sawtooth();

        assertThat(found.rolls()).isEqualTo(1);
        assertThat(found.periodRows()).hasValue(30_000);
    }

    @Test
    void findsNothingInAnEmptyTimeline() {
        Sawtooth found = Sawtooth.of(new Timeline(List.of()), List.of());

        assertThat(found.loadFit()).isEmpty();
        assertThat(found.chunkFit()).isEmpty();
        assertThat(found.periodRows()).isEmpty();
        assertThat(found.stallSeconds()).isEmpty();
        assertThat(found.lowDrop()).isEmpty();
        assertThat(found.fittedDrop()).isEmpty();
        assertThat(found.resolutionSeconds()).isZero();
        assertThat(found.stallElsewhereSeconds()).isZero();
    }

    @Test
    void findsNothingInThreeSeconds() {
        List<TimelinePoint> points = new ArrayList<>(
                SyntheticRun.of("brief", 3, 1, second -> 1_000).timeline().points());
        Sawtooth found = Sawtooth.of(new Timeline(points), List.of());

        assertThat(found.loadFit()).isEmpty();
        assertThat(found.meanRate()).isPresent();
    }

    @Test
    void aSawtoothOfManyChunksTakesNoLongTime() {
        Sawtooth found = SyntheticRun.of("many", 7_200, 1, sawtooth(10, 180_000, 100_000))
                .chunksEvery(10)
                .sawtooth();

        assertThat(found.rolls()).isEqualTo(719);
        assertThat(found.chunkFit().orElseThrow().spans()).isEqualTo(720);
        assertThat(found.isSeen()).isTrue();
    }
}
