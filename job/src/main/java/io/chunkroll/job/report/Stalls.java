package io.chunkroll.job.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Spans of time in which nothing was committed, as far as looks at the run show: from the look that saw the last commit to the last look
 * that saw none since. A stall so measured surely lasted so long, and less than two looks' distance longer.
 *
 * @param resolution the usual time from one look to the next, in seconds
 */
record Stalls(double resolution, List<Stall> stalls) {

    /** One of them, by the seconds at which it was seen first and last. */
    record Stall(double from, double to) {
        double seconds() {
            return to - from;
        }
    }

    Stalls {
        stalls = List.copyOf(stalls);
    }

    /** Those of a load between its first and its last commit. */
    static Stalls of(List<TimelinePoint> load) {
        List<Stall> stalls = new ArrayList<>();
        List<Double> distances = new ArrayList<>();
        double lastCommit = Double.NaN;
        long rows = 0;
        for (int i = 0; i < load.size(); i++) {
            double now = load.get(i).elapsedSeconds();
            double before = i == 0 ? 0 : load.get(i - 1).elapsedSeconds();
            distances.add(now - before);
            if (load.get(i).rows() > rows) {
                if (before > lastCommit) {
                    stalls.add(new Stall(lastCommit, before));
                }
                rows = load.get(i).rows();
                lastCommit = now;
            }
        }
        double[] all = distances.stream().mapToDouble(Double::doubleValue).toArray();
        return new Stalls(Statistics.median(all).orElse(0), stalls);
    }

    /** The longest that reaches into this time; 0 where none does. */
    double longest(double from, double to) {
        return stalls.stream()
                .filter(stall -> stall.to() >= from && stall.from() <= to)
                .mapToDouble(Stall::seconds)
                .max()
                .orElse(0);
    }

    /** The longest that reaches into none of these times, each so long before and after a moment; 0 where there is none. */
    double longestFarFrom(List<Double> moments, double distance) {
        return stalls.stream()
                .filter(stall -> moments.stream()
                        .noneMatch(moment -> stall.to() >= moment - distance && stall.from() <= moment + distance))
                .mapToDouble(Stall::seconds)
                .max()
                .orElse(0);
    }
}
