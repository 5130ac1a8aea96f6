package io.chunkroll.job.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** Figures of all runs: a run a column, a figure a row, so that they compare side by side on a narrow screen as well. */
final class FigureTable {
    static final String UNKNOWN = "–";

    private final List<MeasuredRun> runs;
    private final List<Html.Row> rows = new ArrayList<>();

    FigureTable(List<MeasuredRun> runs) {
        this.runs = runs;
    }

    String html() {
        List<String> head = Stream.concat(Stream.of("Run"), runs.stream().map(MeasuredRun::label))
                .toList();
        return Html.table(head, rows);
    }

    void row(String heading, Function<MeasuredRun, String> figure) {
        rows.add(new Html.Row("", cells(heading, figure)));
    }

    /** A row that stands out. */
    void main(String heading, Function<MeasuredRun, String> figure) {
        rows.add(new Html.Row("main", cells(heading, figure)));
    }

    void whole(String heading, String field) {
        row(heading, run -> whole(run.summary().whole(field)));
    }

    void figure(String heading, String field, DoubleFunction<String> words) {
        row(heading, run -> words(run.summary().decimal(field), words));
    }

    private List<String> cells(String heading, Function<MeasuredRun, String> figure) {
        return Stream.concat(Stream.of(heading), runs.stream().map(figure)).toList();
    }

    static String whole(OptionalLong value) {
        return value.isPresent() ? Figures.count(value.getAsLong()) : UNKNOWN;
    }

    static String words(OptionalDouble value, DoubleFunction<String> words) {
        return value.isPresent() ? words.apply(value.getAsDouble()) : UNKNOWN;
    }
}
