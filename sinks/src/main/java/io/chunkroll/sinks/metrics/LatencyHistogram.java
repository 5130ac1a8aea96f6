package io.chunkroll.sinks.metrics;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.flink.metrics.HistogramStatistics;

/**
 * Latencies in microseconds, up to an hour, to three digits: every one since the start, none sampled away, and histograms of several
 * subtasks add up exactly.
 */
public final class LatencyHistogram implements org.apache.flink.metrics.Histogram {
    private static final long LARGEST = 3_600_000_000L;
    private static final int DIGITS = 3;

    private final Histogram values = new ConcurrentHistogram(LARGEST, DIGITS);

    @Override
    public void update(long micros) {
        values.recordValue(Math.min(Math.max(micros, 0), LARGEST));
    }

    @Override
    public long getCount() {
        return values.getTotalCount();
    }

    /** A copy of everything so far. */
    public Histogram snapshot() {
        return values.copy();
    }

    @Override
    public HistogramStatistics getStatistics() {
        return new Statistics(snapshot());
    }

    private static final class Statistics extends HistogramStatistics {
        private final Histogram values;

        private Statistics(Histogram values) {
            this.values = values;
        }

        @Override
        public double getQuantile(double quantile) {
            return values.getValueAtPercentile(100 * quantile);
        }

        @Override
        public long[] getValues() {
            return new long[0];
        }

        @Override
        public int size() {
            return Math.toIntExact(Math.min(values.getTotalCount(), Integer.MAX_VALUE));
        }

        @Override
        public double getMean() {
            return values.getMean();
        }

        @Override
        public double getStdDev() {
            return values.getStdDeviation();
        }

        @Override
        public long getMax() {
            return values.getMaxValue();
        }

        @Override
        public long getMin() {
            return values.getTotalCount() == 0 ? 0 : values.getMinValue();
        }
    }
}
