package io.chunkroll.job.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SparklineTest {
    @Test
    void reachesFromNothingToTheLargest() {
        assertThat(Sparkline.of(new double[] {0, 1, 2, 3, 4, 5, 6, 7}, 8)).isEqualTo("▁▂▃▄▅▆▇█");
        assertThat(Sparkline.of(new double[] {100, 50, 100}, 8)).isEqualTo("█▅█");
    }

    @Test
    void sharesCharactersWhereThereAreTooMany() {
        assertThat(Sparkline.of(new double[] {0, 0, 7, 7, 3, 4}, 3)).isEqualTo("▁█▅");
        assertThat(Sparkline.of(new double[180], 40)).isEqualTo("▁".repeat(40));
    }

    @Test
    void leavesOutWhatIsNoNumber() {
        double nan = Double.NaN;
        assertThat(Sparkline.of(new double[] {nan, 1, Double.POSITIVE_INFINITY, 1, -5}, 5))
                .isEqualTo(" █ █▁");
        assertThat(Sparkline.of(new double[] {nan, 8, 8, 4}, 2)).isEqualTo("█▆");
    }

    @Test
    void isEmptyWithoutValuesOrRoom() {
        assertThat(Sparkline.of(new double[0], 10)).isEmpty();
        assertThat(Sparkline.of(new double[] {1, 2}, 0)).isEmpty();
        assertThat(Sparkline.of(new double[] {1, 2}, -3)).isEmpty();
    }

    @Test
    void holdsTheLargestNumbers() {
        double[] values = new double[50];
        Arrays.fill(values, 1e300);
        assertThat(Sparkline.of(values, 10)).isEqualTo("█".repeat(10));
    }
}
