package io.chunkroll.job.report;

import io.chunkroll.job.report.Comparison.Group;
import java.util.Locale;
import java.util.OptionalDouble;

/** The comparison, as the first thing one sees of a page. */
final class ComparisonTable {
    private static final double PERCENT = 100;

    private ComparisonTable() {}

    static String of(Comparison comparison) {
        boolean compares = comparison.groups().size() > 1;
        StringBuilder html = new StringBuilder("<div class=\"scroll race\" tabindex=\"0\" role=\"region\" aria-label=\""
                + (compares ? "Who was faster" : "How fast it was")
                + "\"><table>\n<thead><tr><th scope=\"col\">Run</th>"
                + "<th scope=\"col\">rows/s</th>"
                + (compares ? "<td class=\"speed\"></td><th scope=\"col\">of the fastest</th>" : "")
                + (isRepeated(comparison) || compares ? "<th scope=\"col\">spread</th>" : "")
                + "<td></td></tr></thead>\n<tbody>\n");
        comparison
                .ranked()
                .forEach(group -> html.append("<tr data-group=\"" + group.number() + "\"><th scope=\"row\">"
                        + Html.escape(group.name()) + "</th><td class=\"rate\">"
                        + FigureTable.words(group.median(), Figures::bareRate) + "</td>"
                        + (compares ? against(comparison, group) : alone(comparison, group)) + "</tr>\n"));
        return html.append("</tbody></table></div>\n").toString();
    }

    private static boolean isRepeated(Comparison comparison) {
        return comparison.groups().stream().anyMatch(group -> group.spread().isPresent());
    }

    private static String against(Comparison comparison, Group group) {
        OptionalDouble ratio = comparison.ratio(group);
        return "<td class=\"speed\"><i style=\"width:" + percent(ratio.orElse(0)) + "%\"></i></td><td>"
                + FigureTable.words(ratio, value -> "× " + Figures.times(value)) + "</td><td>" + spread(group)
                + "</td><td class=\"words\">" + comparison.verdict(group).words() + "</td>";
    }

    /** Nothing to compare with: its repeats' spread, if there are any. */
    private static String alone(Comparison comparison, Group group) {
        return (isRepeated(comparison) ? "<td>" + spread(group) + "</td>" : "") + "<td class=\"words\"></td>";
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
