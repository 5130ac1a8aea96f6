package io.chunkroll.job.report;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What runs showed, in words, for the terminal and the report. Says no more than their figures do. */
public final class ClosingWords {
    /** Means closer than this count as equal. */
    private static final double EQUAL = 0.03;
    /** Means closer than this may well be so by chance. */
    private static final double CLOSE = 0.1;
    /** Loads whose rows differ by more than this compare only roughly. */
    private static final double SAME_SIZE = 0.01;

    private final List<MeasuredRun> runs;

    private ClosingWords(List<MeasuredRun> runs) {
        this.runs = runs;
    }

    /** One paragraph: a few sentences for each run, then who was faster and by how much. Plain text, no markup. */
    public static String of(List<RunFolder> runs) {
        return String.join(" ", paragraphs(runs));
    }

    /** The same, with a paragraph for each run and a last one, where runs compare, for the comparison. */
    public static List<String> paragraphs(List<RunFolder> runs) {
        return new ClosingWords(MeasuredRun.of(runs)).paragraphs();
    }

    /** The result in one line. */
    public static String headline(List<RunFolder> runs) {
        return new ClosingWords(MeasuredRun.of(runs)).headline();
    }

    private List<String> paragraphs() {
        return Stream.concat(runs.stream().map(RunWords::of), Stream.of(comparison()))
                .filter(words -> !words.isEmpty())
                .toList();
    }

    private String headline() {
        List<MeasuredRun> ranked = ranked();
        if (ranked.size() > 1) {
            MeasuredRun first = ranked.get(0);
            return ranked.size() == 2
                    ? pair(first, ranked.get(1))
                    : first.label() + " was the fastest of " + ranked.size() + ", at "
                            + Figures.rate(first.meanRate().getAsDouble());
        }
        return runs.stream()
                .filter(run -> run.meanRate().isPresent())
                .map(run -> run.label() + ": " + Figures.rate(run.meanRate().getAsDouble()))
                .findFirst()
                .orElse("No rows were written");
    }

    private List<MeasuredRun> ranked() {
        return runs.stream()
                .filter(MeasuredRun::hasTable)
                .filter(run -> run.meanRate().orElse(0) > 0)
                .sorted(Comparator.comparingDouble(
                                (MeasuredRun run) -> run.meanRate().getAsDouble())
                        .reversed())
                .toList();
    }

    private String comparison() {
        List<MeasuredRun> ranked = ranked();
        if (ranked.size() < 2) {
            return "";
        }
        String result = ranked.size() == 2 ? pair(ranked.get(0), ranked.get(1)) : fastest(ranked);
        return result + "." + caveats(ranked);
    }

    private static String pair(MeasuredRun faster, MeasuredRun slower) {
        double factor = factor(faster, slower);
        return factor < 1 + EQUAL
                ? faster.label() + " and " + slower.label() + " were equally fast, within " + Figures.percent(EQUAL)
                : faster.label() + " was " + Figures.times(factor) + " times as fast as " + slower.label();
    }

    private static String fastest(List<MeasuredRun> ranked) {
        MeasuredRun first = ranked.get(0);
        return first.label() + " was the fastest; "
                + ranked.stream()
                        .skip(1)
                        .map(run -> run.label() + " reached " + Figures.percent(1 / factor(first, run)))
                        .collect(Collectors.joining(", "))
                + " of its rate";
    }

    private static double factor(MeasuredRun faster, MeasuredRun slower) {
        return faster.meanRate().getAsDouble() / slower.meanRate().getAsDouble();
    }

    private static String caveats(List<MeasuredRun> ranked) {
        double factor = factor(ranked.get(0), ranked.get(1));
        boolean close = factor >= 1 + EQUAL && factor < 1 + CLOSE;
        long most = ranked.stream().mapToLong(MeasuredRun::rows).max().orElse(0);
        long least = ranked.stream().mapToLong(MeasuredRun::rows).min().orElse(0);
        return (close ? " Between single runs so small a difference can be chance." : "")
                + (most - least > SAME_SIZE * most
                        ? " They loaded different numbers of rows, so their means compare only roughly."
                        : "");
    }
}
