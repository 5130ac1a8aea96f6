package io.chunkroll.job.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiguresTest {
    @Test
    void roundsRatesToThreeDigits() {
        assertThat(Figures.rate(121_834)).isEqualTo("122,000 rows/s");
        assertThat(Figures.rate(1_204.4)).isEqualTo("1,200 rows/s");
        assertThat(Figures.rate(12.34)).isEqualTo("12.3 rows/s");
        assertThat(Figures.rate(0)).isEqualTo("0.0 rows/s");
    }

    @Test
    void givesBytesAUnit() {
        assertThat(Figures.bytes(0)).isEqualTo("0 B");
        assertThat(Figures.bytes(1023)).isEqualTo("1,023 B");
        assertThat(Figures.bytes(1536)).isEqualTo("1.50 KiB");
        assertThat(Figures.bytes(20_000 * 8192.0)).isEqualTo("156 MiB");
        assertThat(Figures.bytes(2.0 * 1024 * 1024 * 1024)).isEqualTo("2 GiB");
    }

    @Test
    void givesTimeAUnit() {
        assertThat(Figures.millis(41.23)).isEqualTo("41.2 ms");
        assertThat(Figures.millis(1500)).isEqualTo("1.50 s");
        assertThat(Figures.seconds(8.3)).isEqualTo("8.30 s");
        assertThat(Figures.seconds(96)).isEqualTo("96 s");
        assertThat(Figures.seconds(252)).isEqualTo("4 min 12 s");
        assertThat(Figures.seconds(9540)).isEqualTo("2 h 39 min");
    }

    @Test
    void givesSharesAndMultiples() {
        assertThat(Figures.percent(0.344)).isEqualTo("34%");
        assertThat(Figures.times(1.5169)).isEqualTo("1.52");
        assertThat(Figures.count(103_680_000)).isEqualTo("103,680,000");
    }
}
