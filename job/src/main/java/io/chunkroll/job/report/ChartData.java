package io.chunkroll.job.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The figures the page's script draws. */
final class ChartData {
    /** The moving average spans at most this share of the load, and of a chunk, lest it wash out the teeth. */
    private static final double SHARE_OF_LOAD = 1 / 40.0;

    private static final double SHARE_OF_CHUNK = 1 / 8.0;
    private static final int LEAST_PERIODS = 3;

    private ChartData() {}

    /**
     * One run's lines. A point is [elapsed seconds, value].
     *
     * @param periods rows a second in each period
     * @param average the same as a moving average
     * @param flush the 99th percentile of flush durations in each period, in milliseconds
     * @param rows rows committed
     */
    record Lines(
            String name,
            double mean,
            List<double[]> periods,
            List<double[]> average,
            List<double[]> flush,
            List<double[]> rows,
            List<Roll> rolls) {}

    /** A mark where a new chunk began. */
    record Roll(double at, String label) {}

    static List<Lines> of(List<MeasuredRun> runs) {
        return runs.stream().map(ChartData::lines).toList();
    }

    private static Lines lines(MeasuredRun run) {
        List<TimelinePoint> load = run.folder().timeline().load();
        List<double[]> periods = new ArrayList<>();
        List<double[]> flush = new ArrayList<>();
        List<double[]> rows = new ArrayList<>();
        for (TimelinePoint point : load) {
            double at = rounded(point.elapsedSeconds());
            periods.add(new double[] {at, Math.rint(point.rowsPerSecond())});
            rows.add(new double[] {at, (double) point.rows()});
            OptionalDouble p99 = point.flushP99Millis();
            if (p99.isPresent()) {
                flush.add(new double[] {at, rounded(p99.getAsDouble())});
            }
        }
        List<double[]> average = average(load, run.sawtooth().chunks());
        return new Lines(run.label(), run.meanRate().orElse(0), periods, average, flush, rows, rolls(run));
    }

    private static List<Roll> rolls(MeasuredRun run) {
        List<ChunkRates> chunks = run.sawtooth().chunks();
        List<Roll> rolls = new ArrayList<>();
        for (int i = 1; i < chunks.size(); i++) {
            rolls.add(new Roll(rounded(chunks.get(i).fromSeconds()), run.chunkWord() + " " + (i + 1)));
        }
        return rolls;
    }

    /** A window ends at a roll, lest the average rise before it. */
    private static List<double[]> average(List<TimelinePoint> load, List<ChunkRates> chunks) {
        RowCurve curve = RowCurve.of(load);
        if (curve.isEmpty()) {
            return List.of();
        }
        double half = window(curve, chunks) / 2;
        List<double[]> average = new ArrayList<>();
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
                        .ifPresent(rate -> average.add(new double[] {rounded(at), Math.rint(rate)}));
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

    private static double rounded(double value) {
        return Math.rint(value * 1000) / 1000;
    }
}
