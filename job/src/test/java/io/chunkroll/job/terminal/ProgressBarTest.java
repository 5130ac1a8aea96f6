package io.chunkroll.job.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.job.terminal.ProgressBar.State;
import io.chunkroll.job.terminal.ProgressBar.Style;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
    private static final double[] RATES = {100_000, 200_000, 150_000, 50_000};
    private static final State HALF =
            new State("hypertable", 47, 5_612_000, 122_000, OptionalDouble.of(0.4777), OptionalDouble.of(58.2), RATES);
    private static final State ENDLESS =
            new State("cpu", 3_723, 1_000_000_000, 1_234_567.8, OptionalDouble.empty(), OptionalDouble.empty(), RATES);

    private static String plain(State state, int width) {
        return ProgressBar.line(state, new Style(width, true, false));
    }

    @Test
    void saysAllWhereThereIsRoom() {
        assertThat(plain(HALF, 120))
                .isEqualTo(
                        "hypertable  ██████████████░░░░░░░░░░░░░░░░  47 %  5,612,000 rows  122,000 rows/s  ▅█▆▃  0:47, 0:58 left");
    }

    @Test
    void hasNeitherBarNorTimeLeftWithoutAKnownEnd() {
        assertThat(plain(ENDLESS, 120)).isEqualTo("cpu  1,000,000,000 rows  1,234,568 rows/s  ▅█▆▃  1:02:03");
    }

    @Test
    void leavesOutWhatFindsNoRoom() {
        assertThat(plain(HALF, 60)).isEqualTo("███████░░░░░░░░░  47 %  5,612,000 rows  122,000 rows/s  ▅█▆▃");
        assertThat(plain(HALF, 40)).isEqualTo(" 47 %  5,612,000 rows  122,000 rows/s");
        assertThat(plain(HALF, 30)).isEqualTo("███░░░░░  47 %  122,000 rows/s");
        assertThat(plain(HALF, 15)).isEqualTo("122,000 rows/s");
        assertThat(plain(HALF, 7)).isEqualTo("122,000");
        assertThat(plain(HALF, 0)).isEmpty();
        assertThat(plain(HALF, -1)).isEmpty();
    }

    @Test
    void isNeverWiderThanTheTerminal() {
        State first = new State("", 0, 0, Double.NaN, OptionalDouble.of(0), OptionalDouble.empty(), new double[0]);
        State wide = new State(
                "a name that is longer than anybody reads",
                1e7,
                Long.MAX_VALUE,
                1e12,
                OptionalDouble.of(1),
                OptionalDouble.of(1e9),
                new double[180]);
        for (int width = 0; width < 250; width++) {
            for (State state : new State[] {HALF, ENDLESS, first, wide}) {
                assertThat(plain(state, width)).hasSizeLessThanOrEqualTo(width);
                assertThat(ProgressBar.line(state, new Style(width, false, false)))
                        .hasSizeLessThanOrEqualTo(width);
            }
        }
    }

    @Test
    void holdsBeforeTheFirstRow() {
        State first = new State(
                "cpu", 0.2, 0, Double.NaN, OptionalDouble.of(0), OptionalDouble.empty(), new double[] {Double.NaN});

        assertThat(plain(first, 80)).isEqualTo("cpu  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░   0 %  0 rows  – rows/s  0:00");
    }

    @Test
    void saysAHundredPercentOfTheEndAlone() {
        assertThat(plain(at(0.99999), 70)).contains(" 99 %").contains("░");
        assertThat(plain(at(1), 70)).contains("100 %").doesNotContain("░");
        assertThat(plain(at(1.2), 70)).contains("100 %");
        assertThat(plain(at(Double.NaN), 70)).contains("  0 %");
    }

    private static State at(double share) {
        return new State("x", 10, 10, 1, OptionalDouble.of(share), OptionalDouble.of(0), new double[0]);
    }

    @Test
    void drawsWithoutBlockCharactersWhereThereAreNone() {
        String line = ProgressBar.line(HALF, new Style(100, false, false));

        assertThat(line).contains("####").contains("....");
        assertThat(line.chars()).allMatch(c -> c < 128);
    }

    @Test
    void coloursAreNotCounted() {
        String line = ProgressBar.line(HALF, new Style(100, true, true));

        assertThat(line).contains("\u001b[36m").contains("\u001b[0m");
        assertThat(line.replaceAll("\u001b\\[\\d+m", "")).isEqualTo(plain(HALF, 100));
    }
}
