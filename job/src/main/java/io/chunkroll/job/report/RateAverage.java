package io.chunkroll.job.report;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A run's rate as a moving average, which shows its teeth and not the single commits. */
final class RateAverage {
    /** The average spans at most this share of the load, and of a chunk, lest it wash out the teeth. */
    private static final double SHARE_OF_LOAD = 1 / 40.0;

    private static final double SHARE_OF_CHUNK = 1 / 8.0;
    private static final int LEAST_PERIODS = 3;

    private RateAverage() {}

    /** Rows a second around each point, by its elapsed seconds. A window ends at a roll, lest the average rise before it. */
    static Map<Double, Double> of(List<TimelinePoint> load, List<ChunkRates> chunks) {
        RowCurve curve = RowCurve.of(load);
        if (curve.isEmpty()) {
            return Map.of();
        }
        double half = window(curve, chunks) / 2;
        Map<Double, Double> average = new HashMap<>();
        int chunk = 0;
        for (TimelinePoint point : load) {
            double at = point.elapsedSeconds();
            while (chunk < chunks.size() - 1 && at > chunks.get(chunk).toSeconds()) {
                chunk++;
            }
            if (at >= curve.start() && at <= curve.end()) {
                double from = chunks.isEmpty() ? 0 : chunks.get(chunk).fromSeconds();
                double to = chunks.isEmpty() ? at + half : chunks.get(chunk).toSeconds();
                curve.rate(Math.max(from, at - half), Math.min(to, at + half), half / 2)
                        .ifPresent(rate -> average.put(at, rate));
            }
        }
        return average;
    }

    private static double window(RowCurve curve, List<ChunkRates> chunks) {
        double[] lengths = chunks.stream()
                .mapToDouble(chunk -> chunk.toSeconds() - chunk.fromSeconds())
                .toArray();
        double ofLoad = (curve.end() - curve.start()) * SHARE_OF_LOAD;
        double ofChunk = Statistics.median(lengths).orElse(Double.MAX_VALUE) * SHARE_OF_CHUNK;
        return Math.max(LEAST_PERIODS * curve.period(), Math.min(ofLoad, ofChunk));
    }
}
