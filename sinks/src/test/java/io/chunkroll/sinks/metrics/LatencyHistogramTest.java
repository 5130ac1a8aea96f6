package io.chunkroll.sinks.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.apache.flink.metrics.HistogramStatistics;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
    private final LatencyHistogram histogram = new LatencyHistogram();

    @Test
    void knowsEveryValueToThreeDigits() {
        for (int micros = 1; micros <= 100_000; micros++) {
            histogram.update(micros);
        }
        HistogramStatistics statistics = histogram.getStatistics();
        assertThat(histogram.getCount()).isEqualTo(100_000);
        assertThat(statistics.size()).isEqualTo(100_000);
        assertThat(statistics.getQuantile(0.5)).isCloseTo(50_000, within(100.0));
        assertThat(statistics.getQuantile(0.99)).isCloseTo(99_000, within(200.0));
        assertThat(statistics.getMean()).isCloseTo(50_000, within(100.0));
        assertThat(statistics.getMin()).isEqualTo(1);
        assertThat(statistics.getMax()).isBetween(99_900L, 100_100L);
    }

    @Test
    void isEmptyAtFirst() {
        HistogramStatistics statistics = histogram.getStatistics();
        assertThat(statistics.size()).isZero();
        assertThat(statistics.getMin()).isZero();
        assertThat(statistics.getMax()).isZero();
        assertThat(statistics.getQuantile(0.99)).isZero();
    }

    @Test
    void holdsWhatIsOutOfItsRangeAtItsEnds() {
        histogram.update(-5);
        histogram.update(Long.MAX_VALUE);
        assertThat(histogram.getStatistics().getMin()).isZero();
        assertThat(histogram.getStatistics().getMax()).isGreaterThanOrEqualTo(3_600_000_000L);
    }

    @Test
    void aSnapshotStaysAsItWas() {
        histogram.update(5);
        var snapshot = histogram.snapshot();
        histogram.update(7);
        assertThat(snapshot.getTotalCount()).isEqualTo(1);
        snapshot.add(histogram.snapshot());
        assertThat(snapshot.getTotalCount()).isEqualTo(3);
        assertThat(histogram.getCount()).isEqualTo(2);
    }
}
