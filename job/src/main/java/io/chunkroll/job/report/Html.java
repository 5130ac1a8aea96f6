package io.chunkroll.job.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/** Text made safe for a page: whatever a run, a table or a setting is called, it stays text. */
final class Html {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Html() {}

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** JSON to stand inside a script element, which no string in it can end. */
    static String json(Object value) {
        try {
            return JSON.writeValueAsString(value)
                    .replace("<", "\\u003c")
                    .replace(">", "\\u003e")
                    .replace("&", "\\u0026")
                    .replace("\u2028", "\\u2028")
                    .replace("\u2029", "\\u2029");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("The chart's figures do not make JSON", e);
        }
    }

    /** A table that scrolls by itself where it is wider than the page. Every cell is escaped; the first of a row is its heading. */
    static String table(List<String> head, List<Row> rows) {
        StringBuilder html = new StringBuilder("<div class=\"scroll\"><table>\n<thead><tr>");
        head.forEach(
                cell -> html.append("<th scope=\"col\">").append(escape(cell)).append("</th>"));
        html.append("</tr></thead>\n<tbody>\n");
        for (Row row : rows) {
            html.append("<tr class=\"").append(row.style()).append("\">");
            html.append("<th scope=\"row\">").append(escape(row.cells().get(0))).append("</th>");
            row.cells().stream()
                    .skip(1)
                    .forEach(cell -> html.append("<td>").append(escape(cell)).append("</td>"));
            html.append("</tr>\n");
        }
        return html.append("</tbody></table></div>\n").toString();
    }

    /**
     * A row of a table.
     *
     * @param style its class in the style sheet, or empty
     */
    record Row(String style, List<String> cells) {}
}
