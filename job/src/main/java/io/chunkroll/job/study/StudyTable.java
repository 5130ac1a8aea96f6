package io.chunkroll.job.study;

import io.chunkroll.job.study.Measurement.Figure;
import io.chunkroll.job.study.Study.PlannedRun;
import io.chunkroll.job.study.Study.Ratio;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The measurements of a study as a table in Markdown: every run, the medians with their spread, and the ratios of medians. */
public final class StudyTable {
    private static final String UNKNOWN = "–";

    private final Study study;
    private final List<Measurement> measurements;

    public StudyTable(Study study, List<Measurement> measurements) {
        this.study = study;
        this.measurements = measurements;
    }

    /** One run, for the terminal. */
    static String line(Measurement measured) {
        if (measured.failure() != null) {
            return String.format(
                    Locale.ROOT, "%-28s #%d  failed: %s", measured.run(), measured.repeat(), measured.failure());
        }
        return String.format(
                Locale.ROOT,
                "%-28s #%d  %,12d rows  %11s rows/s  ready after %7s s  server CPU %6s, client CPU %6s us/row",
                measured.run(),
                measured.repeat(),
                measured.rows(),
                text(measured.figure(Figure.ROWS_PER_SECOND), 0),
                text(measured.figure(Figure.READY_SECONDS), 1),
                text(measured.figure(Figure.SERVER_CPU), 2),
                text(measured.figure(Figure.CLIENT_CPU), 2));
    }

    private static String text(OptionalDouble value, int decimals) {
        return value.isPresent() ? String.format(Locale.ROOT, "%,." + decimals + "f", value.getAsDouble()) : UNKNOWN;
    }

    /** Whether every run of every repeat has its figures. */
    public boolean isComplete() {
        return measurements.stream().filter(done -> done.failure() == null).count()
                == (long) study.runs().size() * study.repeats();
    }

    /** The whole table. */
    public String markdown() {
        StringBuilder text = new StringBuilder("# " + study.name() + "\n\n" + study.question() + "\n\n");
        text.append(
                        "| run | rows/s to the last commit, every run | median | seconds until indexes are ready too, median | server CPU, us/row | client CPU, us/row |\n")
                .append("|---|---|---|---|---|---|\n");
        for (PlannedRun run : study.runs()) {
            text.append("| ")
                    .append(run.name())
                    .append(" | ")
                    .append(every(run.name()))
                    .append(" | ")
                    .append(text(median(run.name(), Figure.ROWS_PER_SECOND), 0))
                    .append(" | ")
                    .append(text(median(run.name(), Figure.READY_SECONDS), 2))
                    .append(" | ")
                    .append(text(median(run.name(), Figure.SERVER_CPU), 2))
                    .append(" | ")
                    .append(text(median(run.name(), Figure.CLIENT_CPU), 2))
                    .append(" |\n");
        }
        if (!study.ratios().isEmpty()) {
            text.append("\n| of medians | ratio | wanted |\n|---|---|---|\n");
            for (Ratio ratio : study.ratios()) {
                text.append("| ")
                        .append(ratio.name())
                        .append(" | ")
                        .append(text(of(ratio), 2))
                        .append(" | ")
                        .append(ratio.wanted())
                        .append(" |\n");
            }
        }
        return text.toString();
    }

    private String every(String run) {
        return measurements.stream()
                .filter(done -> done.run().equals(run))
                .map(done -> done.failure() != null ? "failed" : text(done.figure(Figure.ROWS_PER_SECOND), 0))
                .reduce((a, b) -> a + " · " + b)
                .orElse(UNKNOWN);
    }

    private OptionalDouble of(Ratio ratio) {
        OptionalDouble of = median(ratio.of(), ratio.figure());
        OptionalDouble to = median(ratio.to(), ratio.figure());
        return of.isPresent() && to.isPresent() && to.getAsDouble() != 0
                ? OptionalDouble.of(of.getAsDouble() / to.getAsDouble())
                : OptionalDouble.empty();
    }

    /** The middle one, or the mean of the two in the middle. */
    private OptionalDouble median(String run, Figure figure) {
        double[] values = measurements.stream()
                .filter(done -> done.run().equals(run))
                .map(done -> done.figure(figure))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .sorted()
                .toArray();
        int middle = values.length / 2;
        return values.length == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2);
    }
}
