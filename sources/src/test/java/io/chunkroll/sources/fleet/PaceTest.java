package io.chunkroll.sources.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
    private static final int MAX_BATCH = 256;
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;

    private long now = 17;

    private Pace pace(double rate) {
        return new Pace(rate, MAX_BATCH, () -> now);
    }

    /** Takes all that is due now. */
    private static long drain(Pace pace) {
        long rows = 0;
        for (int due = pace.due(); due > 0; due = pace.due()) {
            assertThat(due).isLessThanOrEqualTo(MAX_BATCH);
            pace.take(due);
            rows += due;
        }
        return rows;
    }

    @Test
    void nothingIsDueUntilABatchHasComeTogether() {
        Pace pace = pace(1_000);
        assertThat(pace.due()).isZero();
        assertThat(pace.nanosUntilDue()).isEqualTo(10 * MILLI);

        now += 10 * MILLI - 1;
        assertThat(pace.due()).isZero();
        assertThat(pace.nanosUntilDue()).isEqualTo(1);

        now += 1;
        assertThat(pace.due()).isEqualTo(10);
    }

    @Test
    void followingTheTimerKeepsTheRateExactly() {
        for (double rate : new double[] {0.25, 1, 3, 999, 70_001, 3_000_000}) {
            long begin = now;
            Pace pace = pace(rate);
            long rows = 0;
            while (now - begin < 20 * SECOND) {
                now += pace.nanosUntilDue();
                long drained = drain(pace);
                assertThat(drained).isPositive();
                rows += drained;
            }
            double due = (now - begin) / 1e9 * rate;
            assertThat((double) rows).isBetween(due * 0.9999 - MAX_BATCH, due + 1e-3);
        }
    }

    @Test
    void aShortPauseIsMadeUpFor() {
        Pace pace = pace(10_000);
        now += 900 * MILLI;
        // What is left is less than a batch of a hundredth of a second.
        assertThat(drain(pace)).isBetween(8_901L, 9_000L);
    }

    @Test
    void aLongPauseIsFollowedByNoBurst() {
        Pace pace = pace(10_000);
        now += 5 * SECOND;
        assertThat(drain(pace)).isZero();
        now += 10 * MILLI;
        assertThat(drain(pace)).isEqualTo(100);
    }

    @Test
    void aRateBelowOneRowASecondIsNoPause() {
        Pace pace = pace(0.1);
        now += 9 * SECOND;
        assertThat(pace.due()).isZero();
        now += SECOND;
        assertThat(pace.due()).isEqualTo(1);
    }
}
