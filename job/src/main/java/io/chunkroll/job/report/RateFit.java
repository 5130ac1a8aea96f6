package io.chunkroll.job.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A straight line through rates over rows, which a few stalls or bursts do not bend.
 *
 * <p>The slope is the median of the slopes between any two points of the same span, over all spans together: Theil's and Sen's estimator
 * (P. K. Sen, Estimates of the regression coefficient based on Kendall's tau, JASA 63, 1968), pooled as R. M. Hirsch, J. R. Slack and R. A.
 * Smith do it for seasons (Techniques of trend analysis for monthly water quality data, Water Resources Research 18, 1982). Its interval is
 * Sen's, of 95 %, with the variance of Kendall's S added up over the spans. That takes the periods for independent of each other, which
 * those of a load are not quite: the true interval is rather wider.
 *
 * @param slope rows a second, for each row
 * @param slopeLow the lower end of its interval
 * @param slopeHigh the upper end
 * @param rateAtStart rows a second where a span begins: the median of what is left when the slope is taken away
 * @param spans how many spans it was fitted over
 */
public record RateFit(double slope, double slopeLow, double slopeHigh, double rateAtStart, int spans) {
    /** In rows; slopes are told for so many. */
    public static final double MILLION = 1e6;

    /** With fewer points a span says nothing about a slope, and its interval would have no ends. */
    private static final int LEAST_POINTS = 5;
    /** Of the normal distribution, between which 95 % lie. */
    private static final double DEVIATIONS = 1.96;

    /**
     * A rate, once so many rows were there.
     *
     * @param rows since the span's begin
     * @param rate rows a second
     */
    record Point(double rows, double rate) {}

    /** Fits the spans that have points enough; empty where none has. */
    static Optional<RateFit> of(List<List<Point>> spans) {
        List<List<Point>> fitted =
                spans.stream().filter(points -> points.size() >= LEAST_POINTS).toList();
        double[] slopes = slopes(fitted);
        if (slopes.length == 0) {
            return Optional.empty();
        }
        Arrays.sort(slopes);
        double half = DEVIATIONS * Math.sqrt(variance(fitted)) / 2;
        double slope = Statistics.quantile(slopes, 0.5);
        return Optional.of(new RateFit(
                slope,
                slopes[(int) Math.max(0, Math.floor(slopes.length / 2.0 - half) - 1)],
                slopes[(int) Math.min(slopes.length - 1, Math.ceil(slopes.length / 2.0 + half))],
                start(fitted, slope),
                fitted.size()));
    }

    private static double[] slopes(List<List<Point>> spans) {
        int pairs = spans.stream()
                .mapToInt(points -> points.size() * (points.size() - 1) / 2)
                .sum();
        double[] slopes = new double[pairs];
        int next = 0;
        for (List<Point> points : spans) {
            for (int i = 0; i < points.size(); i++) {
                for (int j = i + 1; j < points.size(); j++) {
                    double rise = points.get(j).rate() - points.get(i).rate();
                    slopes[next++] =
                            rise / (points.get(j).rows() - points.get(i).rows());
                }
            }
        }
        return slopes;
    }

    /** Of Kendall's S. */
    private static double variance(List<List<Point>> spans) {
        return spans.stream()
                .mapToDouble(List::size)
                .map(n -> n * (n - 1) * (2 * n + 5) / 18)
                .sum();
    }

    private static double start(List<List<Point>> spans, double slope) {
        List<Double> left = new ArrayList<>();
        spans.forEach(points -> points.forEach(point -> left.add(point.rate() - slope * point.rows())));
        return Statistics.median(left.stream().mapToDouble(Double::doubleValue).toArray())
                .orElseThrow();
    }

    /** The slope, in rows a second for each million rows. */
    public double perMillion() {
        return slope * MILLION;
    }

    /** Whether the rate rises or falls beyond its own noise. */
    public boolean isSlope() {
        return slopeLow > 0 || slopeHigh < 0;
    }
}
