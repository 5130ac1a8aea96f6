package io.chunkroll.job.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.chunkroll.job.report.RunSummary;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What one run of a study came to.
 *
 * @param run its name
 * @param repeat from 1
 * @param failure why there are no figures; null if there are
 * @param rows rows loaded
 * @param figures by their words; null is what was not measured
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Measurement(String run, int repeat, String failure, long rows, Map<String, Double> figures) {

    static Measurement failed(String run, int repeat, String failure) {
        return new Measurement(run, repeat, failure, 0, Map.of());
    }

    static Measurement of(String run, int repeat, RunSummary summary) {
        Map<Figure, OptionalDouble> figures = new LinkedHashMap<>();
        for (Figure figure : Figure.values()) {
            figures.put(figure, figure.of(summary));
        }
        return of(run, repeat, summary.whole("rows_written").orElse(0), figures);
    }

    static Measurement of(String run, int repeat, long rows, Map<Figure, OptionalDouble> figures) {
        Map<String, Double> values = new LinkedHashMap<>();
        figures.forEach((figure, value) -> values.put(figure.word(), value.isPresent() ? value.getAsDouble() : null));
        return new Measurement(run, repeat, null, rows, values);
    }

    boolean isFailed() {
        return failure != null;
    }

    OptionalDouble figure(Figure figure) {
        Double value = figures.get(figure.word());
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
