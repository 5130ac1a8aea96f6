package io.chunkroll.job.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** What a report can be written as. */
public enum ReportFormat {
    /** One page, with everything. */
    HTML,
    /** The comparison as a table, with the words, for an issue or an article. */
    MD,
    /** The page's data. */
    JSON,
    /** The main chart. */
    SVG,
    /** The main chart, in dots. */
    PNG;

    /** The ending of its files. */
    public String ending() {
        return name().toLowerCase(Locale.ROOT);
    }

    byte[] make(List<RunFolder> folders, Published published) throws IOException {
        return switch (this) {
            case HTML -> Report.page(folders, published).getBytes(StandardCharsets.UTF_8);
            case MD -> MarkdownReport.of(folders, published).getBytes(StandardCharsets.UTF_8);
            case JSON -> new ObjectMapper().writeValueAsBytes(Report.data(MeasuredRun.of(folders), published));
            case SVG -> RateImage.svg(folders);
            case PNG -> RateImage.png(folders);
        };
    }
}
