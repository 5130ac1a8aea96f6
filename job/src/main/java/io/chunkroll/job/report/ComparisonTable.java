package io.chunkroll.job.report;

import io.chunkroll.job.report.Comparison.Group;
import java.util.Locale;
import java.util.OptionalDouble;

/** The comparison, as the first thing one sees of a page. */
final class ComparisonTable {
    private static final double PERCENT = 100;

    private ComparisonTable() {}

    static String of(Comparison comparison) {
        StringBuilder html = new StringBuilder("<div class=\"scroll race\" tabindex=\"0\" role=\"region\""
                + " aria-label=\"Who was faster\"><table>\n<thead><tr><th scope=\"col\">Run</th>"
                + "<th scope=\"col\">rows/s</th><td class=\"speed\"></td><th scope=\"col\">of the fastest</th>"
                + "<th scope=\"col\">spread</th><td></td></tr></thead>\n<tbody>\n");
        comparison.ranked().forEach(group -> html.append(row(comparison, group)));
        return html.append("</tbody></table></div>\n").toString();
    }

    private static String row(Comparison comparison, Group group) {
        OptionalDouble ratio = comparison.ratio(group);
        return "<tr data-group=\"" + group.number() + "\"><th scope=\"row\">" + Html.escape(group.name())
                + "</th><td class=\"rate\">" + FigureTable.words(group.median(), Figures::bareRate)
                + "</td><td class=\"speed\"><i style=\"width:" + percent(ratio.orElse(0)) + "%\"></i></td><td>"
                + FigureTable.words(ratio, value -> "× " + Figures.times(value)) + "</td><td>" + spread(group)
                + "</td><td class=\"words\">" + comparison.verdict(group).words() + "</td></tr>\n";
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f", PERCENT * share);
    }

    static String spread(Group group) {
        return group.spread().isPresent()
                ? Figures.percent(group.spread().getAsDouble()) + " of "
                        + group.rates().count() + " runs"
                : "one run";
    }
}
