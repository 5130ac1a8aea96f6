package io.chunkroll.job.study;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.chunkroll.job.report.RunSummary;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * What one run of a study came to. What was not measured is null.
 *
 * @param run its name
 * @param repeat from 1
 * @param failure why there are no figures; null if there are
 * @param rows rows loaded
 * @param seconds from the first row read to the last commit; psql's from its start to its end
 * @param readySeconds until the indexes are there, too; the same where they were before the rows
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Measurement(
        String run,
        int repeat,
        String failure,
        long rows,
        Double seconds,
        Double readySeconds,
        Double serverCpuSeconds,
        Double clientCpuSeconds) {

    /** What can be read off a measurement and compared. */
    public enum Figure {
        ROWS_PER_SECOND,
        READY_SECONDS,
        SERVER_CPU,
        CLIENT_CPU;

        static Optional<Figure> of(String word) {
            return Stream.of(values())
                    .filter(figure -> figure.word().equals(word))
                    .findFirst();
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static String words() {
            return Stream.of(values()).map(Figure::word).collect(joining(", "));
        }
    }

    static Measurement failed(String run, int repeat, String failure) {
        return new Measurement(run, repeat, failure, 0, null, null, null, null);
    }

    static Measurement of(String run, int repeat, RunSummary summary) {
        Double seconds = boxed(summary.decimal("seconds"));
        Double ready = boxed(summary.decimal("ready_seconds"));
        return new Measurement(
                run,
                repeat,
                null,
                summary.whole("rows_written").orElse(0),
                seconds,
                ready == null ? seconds : ready,
                boxed(summary.decimal("server_cpu_seconds")),
                boxed(summary.decimal("client_cpu_seconds")));
    }

    private static Double boxed(OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : null;
    }

    /** CPU figures are microseconds a row. */
    OptionalDouble figure(Figure figure) {
        if (failure != null || rows == 0) {
            return OptionalDouble.empty();
        }
        return switch (figure) {
            case ROWS_PER_SECOND ->
                seconds == null || seconds == 0 ? OptionalDouble.empty() : OptionalDouble.of(rows / seconds);
            case READY_SECONDS -> readySeconds == null ? OptionalDouble.empty() : OptionalDouble.of(readySeconds);
            case SERVER_CPU -> microsARow(serverCpuSeconds);
            case CLIENT_CPU -> microsARow(clientCpuSeconds);
        };
    }

    private OptionalDouble microsARow(Double cpuSeconds) {
        return cpuSeconds == null ? OptionalDouble.empty() : OptionalDouble.of(cpuSeconds * 1e6 / rows);
    }
}
