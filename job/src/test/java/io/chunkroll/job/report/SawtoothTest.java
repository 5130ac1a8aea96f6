package io.chunkroll.job.report;

import static io.chunkroll.job.report.SyntheticRun.sawtooth;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SawtoothTest {
    private static final Offset<Double> ONE_PERCENT_POINT = within(0.01);

    @ParameterizedTest
    @ValueSource(doubles = {0.25, 1, 2})
    void measuresAPerfectSawtoothWhateverTheReportingPeriod(double period) {
        // In chunks of 40 s from 180,000 to 100,000: the quarters' windows are centred on seconds 5.5 and 34.5, give or
        // take a period.
        Sawtooth found = SyntheticRun.of("saw", 160, period, sawtooth(40, 180_000, 100_000))
                .chunksEvery(40)
                .sawtooth();

        assertThat(found.rolls()).isEqualTo(3);
        assertThat(found.chunks()).hasSize(4).allMatch(ChunkRates::full);
        assertThat(found.meanRate().getAsDouble()).isCloseTo(140_000, within(1.0));
        assertThat(found.chunks().get(1).rateAtStart().getAsDouble()).isCloseTo(169_000, within(1_100.0));
        assertThat(found.chunks().get(1).rateAtEnd().getAsDouble()).isCloseTo(111_000, within(1_100.0));
        assertThat(found.medianDrop().getAsDouble()).isCloseTo(1 - 111.0 / 169, ONE_PERCENT_POINT);
        assertThat(found.medianRecovery().getAsDouble()).isCloseTo(169.0 / 111, within(0.03));
        assertThat(found.chunks().get(3).recovery()).isEmpty();
        assertThat(found.isSeen()).isTrue();
    }

    @Test
    void seesNoSawtoothInAFlatRate() {
        Sawtooth found = SyntheticRun.of("flat", 120, 1, second -> 100_000)
                .chunksEvery(30)
                .sawtooth();

        assertThat(found.medianDrop().getAsDouble()).isCloseTo(0, within(1e-6));
        assertThat(found.medianRecovery().getAsDouble()).isCloseTo(1, within(1e-6));
        assertThat(found.slope().getAsDouble()).isCloseTo(1, within(1e-6));
        assertThat(found.isSeen()).isFalse();
    }

    @Test
    void measuresTheSlopeOfALinearDecline() {
        // From 200,000 to 100,000 in 100 s: the fifths' windows are centred on seconds 10.5 and 89.5.
        Sawtooth found = SyntheticRun.of("sinking", 100, 1, second -> 200_000 - 1_000 * second)
                .sawtooth();

        assertThat(found.chunks()).isEmpty();
        assertThat(found.rolls()).isZero();
        assertThat(found.firstFifth().getAsDouble()).isCloseTo(189_500, within(1.0));
        assertThat(found.lastFifth().getAsDouble()).isCloseTo(110_500, within(1.0));
        assertThat(found.slope().getAsDouble()).isCloseTo(110.5 / 189.5, within(1e-4));
        assertThat(found.medianDrop()).isEmpty();
        assertThat(found.isSeen()).isFalse();
    }

    @Test
    void findsTheSameUnderNoise() {
        Random random = new Random(7);
        DoubleUnaryOperator saw = sawtooth(40, 180_000, 100_000);
        Sawtooth found = SyntheticRun.of(
                        "noisy", 200, 1, second -> saw.applyAsDouble(second) * (1 + 0.2 * random.nextGaussian()))
                .chunksEvery(40)
                .sawtooth();

        assertThat(found.medianDrop().getAsDouble()).isCloseTo(0.34, within(0.08));
        assertThat(found.isSeen()).isTrue();
    }

    @Test
    void takesNoiseAloneForNoSawtooth() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            Sawtooth found = SyntheticRun.of("noise", 160, 1, second -> 100_000 * (1 + 0.1 * random.nextGaussian()))
                    .chunksEvery(40)
                    .sawtooth();

            assertThat(found.isSeen()).as("seed %s", seed).isFalse();
        }
    }

    @Test
    void aStallAtTheRollHardlyTouchesTheRates() {
        DoubleUnaryOperator saw = sawtooth(40, 180_000, 100_000);
        Sawtooth smooth =
                SyntheticRun.of("smooth", 160, 0.5, saw).chunksEvery(40).sawtooth();
        Sawtooth stalled = SyntheticRun.of(
                        "stalled", 160, 0.5, second -> second % 40 < 0.9 ? 0 : saw.applyAsDouble(second))
                .chunksEvery(40)
                .sawtooth();

        assertThat(stalled.medianDrop().getAsDouble())
                .isCloseTo(smooth.medianDrop().getAsDouble(), within(0.03));
    }

    @Test
    void smoothsCommitsThatComeInBursts() {
        // All rows of five seconds at once, as with a commit at each checkpoint.
        Sawtooth found = SyntheticRun.of(
                        "bursts",
                        240,
                        1,
                        second -> (int) second % 5 == 4
                                ? 5 * sawtooth(80, 180, 100).applyAsDouble(second)
                                : 0)
                .chunksEvery(80)
                .sawtooth();

        assertThat(found.medianDrop().getAsDouble()).isCloseTo(0.31, within(0.03));
    }

    @Test
    void countsOnlyFullChunksInMedians() {
        // The first chunk is entered at its middle, the last is left at a quarter.
        DoubleUnaryOperator saw = sawtooth(40, 180_000, 100_000);
        Sawtooth found = SyntheticRun.of("cut", 110, 1, second -> saw.applyAsDouble(second + 20))
                .roll(0)
                .roll(20)
                .roll(60)
                .roll(100)
                .sawtooth();

        assertThat(found.chunks()).extracting(ChunkRates::full).containsExactly(false, true, true, false);
        assertThat(found.medianDrop().getAsDouble()).isCloseTo(1 - 111.0 / 169, ONE_PERCENT_POINT);
        assertThat(found.chunks().get(3).rateAtEnd()).isPresent();
    }

    @Test
    void namesNoChunkForWhatWasThereBefore() {
        Sawtooth found = SyntheticRun.of("goes on", 90, 1, second -> 1_000)
                .roll(30)
                .roll(60)
                .sawtooth();

        assertThat(found.chunks()).hasSize(3);
        assertThat(found.chunks().get(0).chunk()).isEmpty();
        assertThat(found.chunks().get(0).full()).isFalse();
        assertThat(found.rolls()).isEqualTo(2);
    }

    @Test
    void takesChunksMadeTogetherForOneRoll() {
        Sawtooth found = SyntheticRun.of("together", 60, 1, second -> 1_000)
                .roll(0)
                .roll(0.2)
                .roll(30)
                .roll(30.4)
                .roll(30.9)
                .sawtooth();

        assertThat(found.chunks())
                .extracting(ChunkRates::chunk)
                .containsExactly("chunk_at_0.0 and 1 more", "chunk_at_30.0 and 2 more");
    }

    @Test
    void measuresASingleChunk() {
        Sawtooth found = SyntheticRun.of("one", 40, 1, sawtooth(40, 180_000, 100_000))
                .chunksEvery(40)
                .sawtooth();

        assertThat(found.rolls()).isZero();
        assertThat(found.medianDrop().getAsDouble()).isCloseTo(1 - 111.0 / 169, ONE_PERCENT_POINT);
        assertThat(found.medianRecovery()).isEmpty();
        assertThat(found.isSeen()).isFalse();
    }

    @Test
    void measuresNoRateInChunksTooShortForIt() {
        Sawtooth found = SyntheticRun.of("short", 20, 1, sawtooth(5, 180_000, 100_000))
                .chunksEvery(5)
                .sawtooth();

        assertThat(found.rolls()).isEqualTo(3);
        assertThat(found.chunks()).allMatch(chunk -> chunk.drop().isEmpty());
        assertThat(found.isSeen()).isFalse();
    }

    @Test
    void leavesOutIdleTimeAndWhatComesAfterTheLoad() {
        Sawtooth found = SyntheticRun.of("idle", 120, 1, second -> second < 10 || second > 110 ? 0 : 5_000)
                .point(SyntheticRun.point(121, TimelinePoint.AFTER, 900_000, 0))
                .sawtooth();

        assertThat(found.meanRate().getAsDouble()).isCloseTo(5_000, within(0.1));
    }

    @Test
    void findsNothingInAnEmptyTimeline() {
        Sawtooth found = Sawtooth.of(new Timeline(List.of()), List.of());

        assertThat(found.meanRate()).isEmpty();
        assertThat(found.slope()).isEmpty();
        assertThat(found.chunks()).isEmpty();
        assertThat(found.isSeen()).isFalse();
    }

    @Test
    void findsNothingWhereNoRowCame() {
        Sawtooth found = SyntheticRun.of("none", 5, 1, second -> 0).roll(0).sawtooth();

        assertThat(found.meanRate()).isEmpty();
        assertThat(found.chunks()).isEmpty();
    }
}
