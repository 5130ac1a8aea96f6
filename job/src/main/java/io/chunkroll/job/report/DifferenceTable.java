package io.chunkroll.job.report;

import io.chunkroll.job.report.Comparison.Group;
import java.util.ArrayList;
import java.util.List;

/** What each run cost beside the fastest: a figure a row, a group a column. Nothing to compare where there is one group. */
record DifferenceTable(List<String> head, List<List<String>> rows) {

    static DifferenceTable of(Comparison comparison) {
        List<Group> ranked = comparison.ranked();
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("Median of the repeats"));
        if (ranked.size() < 2) {
            return new DifferenceTable(head, rows);
        }
        ranked.forEach(group -> head.add(group.name()));
        for (int i = 0; i < ComparedFigure.ALL.size(); i++) {
            int figure = i;
            List<String> cells =
                    new ArrayList<>(List.of(ComparedFigure.ALL.get(i).title()));
            ranked.forEach(
                    group -> cells.add(comparison.differences(group).get(figure).words()));
            if (cells.stream().skip(1).anyMatch(cell -> !cell.equals(FigureTable.UNKNOWN))) {
                rows.add(cells);
            }
        }
        return new DifferenceTable(head, rows);
    }

    String html() {
        return rows.isEmpty()
                ? ""
                : "<h3>Beside the fastest</h3>\n"
                        + Html.table(
                                head,
                                rows.stream()
                                        .map(cells -> new Html.Row("", cells))
                                        .toList())
                        + "<h3>Of each run</h3>\n";
    }

    String markdown() {
        if (rows.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        MarkdownReport.row(text, head);
        text.append("|---").append("|--:".repeat(head.size() - 1)).append("|\n");
        rows.forEach(cells -> MarkdownReport.row(text, cells));
        return text.append('\n').toString();
    }
}
