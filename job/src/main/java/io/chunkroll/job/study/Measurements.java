package io.chunkroll.job.study;

import io.chunkroll.job.study.Study.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** All measurements of a study, in the order in which they were made. */
public final class Measurements {
    private final List<Measurement> all = new ArrayList<>();

    void add(Measurement measurement) {
        all.add(measurement);
    }

    /** Those of a run, in the order of the repeats' making. */
    List<Measurement> of(String run) {
        return all.stream().filter(done -> done.run().equals(run)).toList();
    }

    boolean has(String run, int repeat) {
        return of(run).stream().anyMatch(done -> done.repeat() == repeat);
    }

    int count() {
        return all.size();
    }

    boolean anyFailed() {
        return all.stream().anyMatch(Measurement::isFailed);
    }

    /** The middle one, or the mean of the two in the middle. */
    OptionalDouble median(String run, Figure figure) {
        double[] values = sorted(run, figure);
        int middle = values.length / 2;
        return values.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2);
    }

    /** How far apart the largest and the smallest are, as a share of the median; empty for fewer than two. */
    OptionalDouble spread(String run, Figure figure) {
        double[] values = sorted(run, figure);
        OptionalDouble median = median(run, figure);
        return values.length < 2 || median.getAsDouble() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((values[values.length - 1] - values[0]) / median.getAsDouble());
    }

    /** Whether every repeat of a run had more of a figure than every repeat of another. */
    boolean isAbove(String run, String other, Figure figure) {
        double[] high = sorted(run, figure);
        double[] low = sorted(other, figure);
        return high.length > 0 && low.length > 0 && high[0] > low[low.length - 1];
    }

    OptionalDouble ratio(Ratio ratio) {
        return ratio(ratio.figure(), ratio.of(), ratio.to());
    }

    /** One run's median over the other's. */
    OptionalDouble ratio(Figure figure, String run, String other) {
        OptionalDouble of = median(run, figure);
        OptionalDouble to = median(other, figure);
        return of.isPresent() && to.isPresent() && to.getAsDouble() != 0
                ? OptionalDouble.of(of.getAsDouble() / to.getAsDouble())
                : OptionalDouble.empty();
    }

    private double[] sorted(String run, Figure figure) {
        return of(run).stream()
                .filter(done -> !done.isFailed())
                .map(done -> done.figure(figure))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .sorted()
                .toArray();
    }
}
