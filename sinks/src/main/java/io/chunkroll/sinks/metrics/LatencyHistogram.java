package io.chunkroll.sinks.metrics;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
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

    /** Everything so far as text, from which {@link #decoded} makes it again: a histogram's percentiles do not add up, this does. */
    public String encoded() {
        Histogram copy = snapshot();
        ByteBuffer buffer = ByteBuffer.allocate(copy.getNeededByteBufferCapacity());
        int length = copy.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    /**
     * What {@link #encoded} wrote.
     *
     * @throws IllegalArgumentException if it is nothing of the kind
     */
    public static Histogram decoded(String text) {
        try {
            Histogram read = Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(text)), LARGEST);
            // Only those of the same layout add up and subtract.
            Histogram same = new Histogram(LARGEST, DIGITS);
            same.add(read);
            return same;
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("no histogram", e);
        }
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
