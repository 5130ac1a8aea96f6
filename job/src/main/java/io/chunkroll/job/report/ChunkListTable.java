package io.chunkroll.job.report;

import java.util.List;

/** The chunks or partitions that each run's table was made of at the end, with their sizes. */
final class ChunkListTable {
    private ChunkListTable() {}

    /** Nothing for runs without. */
    static String of(List<MeasuredRun> runs) {
        StringBuilder html = new StringBuilder();
        for (MeasuredRun run : runs) {
            List<ChunkSize> chunks = run.summary().chunkList();
            if (!chunks.isEmpty()) {
                html.append("<details>\n<summary>")
                        .append(Html.escape(run.label() + ": " + Figures.count(chunks.size()) + " " + run.chunkWord()
                                + (chunks.size() == 1 ? "" : "s") + ", with sizes"))
                        .append("</summary>\n")
                        .append(table(chunks))
                        .append("</details>\n");
            }
        }
        return html.toString();
    }

    private static String table(List<ChunkSize> chunks) {
        return Html.table(
                List.of("Name", "Table size", "Index size", "Made at", "From", "To"),
                chunks.stream()
                        .map(chunk -> new Html.Row(
                                "",
                                List.of(
                                        chunk.name(),
                                        FigureTable.words(chunk.tableBytes(), Figures::bytes),
                                        FigureTable.words(chunk.indexBytes(), Figures::bytes),
                                        ChunkTable.time(chunk.createdAt().orElse("")),
                                        ChunkTable.time(chunk.rangeStart()),
                                        ChunkTable.time(chunk.rangeEnd()))))
                        .toList());
    }
}
