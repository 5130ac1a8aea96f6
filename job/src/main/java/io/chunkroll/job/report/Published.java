package io.chunkroll.job.report;

import java.util.List;

/**
 * Figures that others published, beside ours.
 *
 * @param source who published them, and of which machine
 * @param figures in the order of the study
 */
public record Published(String source, List<Entry> figures) {
    /** A figure, or a ratio of figures, in words: of what, ours, theirs. */
    public record Entry(String of, String ours, String theirs) {}

    /** Where nobody published any. */
    public static Published none() {
        return new Published("", List.of());
    }

    /** A section of the page; nothing where there are none. */
    String html() {
        if (figures.isEmpty()) {
            return "";
        }
        List<Html.Row> rows = figures.stream()
                .map(figure -> new Html.Row("", List.of(figure.of(), figure.ours(), figure.theirs())))
                .toList();
        return "<section id=\"published\">\n<h2>Published figures beside ours</h2>\n"
                + Html.table(List.of("Figure", "Here", "Published"), rows)
                + "<p class=\"quiet\">Rates of different machines say nothing about each other; compare the ratios. "
                + Html.escape(source) + "</p>\n</section>\n";
    }
}
