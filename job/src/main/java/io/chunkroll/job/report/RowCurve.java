package io.chunkroll.job.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Rows committed over time, drawn straight from one commit seen to the next. A rate is the rise of this curve over a window, so it
 * depends neither on the length of the reporting period nor on whether a commit fell just before or after the end of one.
 */
final class RowCurve {
    private final double[] seconds;
    private final double[] rows;

    private RowCurve(double[] seconds, double[] rows) {
        this.seconds = seconds;
        this.rows = rows;
    }

    /** The curve from the last moment without a row to the moment all rows were there. */
    static RowCurve of(List<TimelinePoint> points) {
        List<Double> seconds = new ArrayList<>();
        List<Double> rows = new ArrayList<>();
        double last = 0;
        double idle = 0;
        for (TimelinePoint point : points) {
            if (point.rows() > last) {
                if (seconds.isEmpty()) {
                    seconds.add(idle);
                    rows.add(0.0);
                }
                if (point.elapsedSeconds() > seconds.get(seconds.size() - 1)) {
                    seconds.add(point.elapsedSeconds());
                    rows.add((double) point.rows());
                    last = point.rows();
                }
            } else if (seconds.isEmpty()) {
                idle = point.elapsedSeconds();
            }
        }
        return new RowCurve(array(seconds), array(rows));
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** No rate can be told from it. */
    boolean isEmpty() {
        return seconds.length < 2;
    }

    double start() {
        return seconds[0];
    }

    double end() {
        return seconds[seconds.length - 1];
    }

    /** The usual time from one commit seen to the next. */
    double period() {
        double[] gaps = new double[seconds.length - 1];
        for (int i = 0; i < gaps.length; i++) {
            gaps[i] = seconds[i + 1] - seconds[i];
        }
        return Statistics.median(gaps).orElse(0);
    }

    /** Rows committed by then. */
    double rowsAt(double second) {
        if (second <= start()) {
            return 0;
        }
        if (second >= end()) {
            return rows[rows.length - 1];
        }
        int found = Arrays.binarySearch(seconds, second);
        int next = found >= 0 ? found + 1 : -found - 1;
        double share = (second - seconds[next - 1]) / (seconds[next] - seconds[next - 1]);
        return rows[next - 1] + share * (rows[next] - rows[next - 1]);
    }

    /**
     * The rates from one commit seen to the next, each in the middle of its rows, counted from a time's begin, of those that lie within
     * the time and not at its edges. Neighbours are taken together where there would be more than so many.
     */
    List<RateFit.Point> points(double from, double to, double edge, int most) {
        int first = 0;
        while (first < seconds.length && seconds[first] < from + edge) {
            first++;
        }
        int last = first;
        while (last + 1 < seconds.length && seconds[last + 1] <= to - edge) {
            last++;
        }
        int together = Math.max(1, (last - first + most - 1) / most);
        double begin = rowsAt(from);
        List<RateFit.Point> points = new ArrayList<>();
        for (int i = first; i + together <= last; i += together) {
            int next = i + together;
            points.add(new RateFit.Point(
                    (rows[i] + rows[next]) / 2 - begin, (rows[next] - rows[i]) / (seconds[next] - seconds[i])));
        }
        return points;
    }

    /** Rows a second from one moment to another. */
    double rate(double from, double to) {
        return (rowsAt(to) - rowsAt(from)) / (to - from);
    }

    /** The same, of what lies within the curve; empty when less than the given length does. */
    OptionalDouble rate(double from, double to, double shortest) {
        double first = Math.max(from, start());
        double last = Math.min(to, end());
        return last - first >= shortest ? OptionalDouble.of(rate(first, last)) : OptionalDouble.empty();
    }
}
