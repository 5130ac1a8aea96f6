package io.chunkroll.job.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Figures that others published, beside ours. A study keeps them in its folder, above those of its runs.
 *
 * @param source who published them, and of which machine
 * @param figures in the order of the study
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Published(String source, List<Entry> figures) {
    /** The file's name in a study's folder. */
    public static final String FILE = "published.json";

    private static final String CAUTION =
            "Rates of different machines say nothing about each other; compare the ratios.";
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    public Published {
        source = source == null ? "" : source;
        figures = figures == null ? List.of() : List.copyOf(figures);
    }

    /** A figure, or a ratio of figures, in words: of what, ours, theirs. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Entry(String of, String ours, String theirs) {
        public Entry {
            of = of == null ? "" : of;
            ours = ours == null ? FigureTable.UNKNOWN : ours;
            theirs = theirs == null ? FigureTable.UNKNOWN : theirs;
        }
    }

    /** Where nobody published any. */
    public static Published none() {
        return new Published("", List.of());
    }

    /**
     * What the studies of these runs keep; none for runs of no study.
     *
     * @throws ReportException naming the file that cannot be read
     */
    public static Published of(List<RunFolder> runs) {
        Set<Path> parents = new LinkedHashSet<>();
        for (RunFolder run : runs) {
            Path parent = run.folder().toAbsolutePath().normalize().getParent();
            if (parent != null && Files.isRegularFile(parent.resolve(FILE))) {
                parents.add(parent);
            }
        }
        List<Published> kept = new ArrayList<>();
        for (Path parent : parents) {
            Published one = read(parent.resolve(FILE));
            kept.add(parents.size() == 1 ? one : one.under(parent.getFileName().toString()));
        }
        return new Published(
                kept.stream()
                        .map(Published::source)
                        .filter(source -> !source.isEmpty())
                        .distinct()
                        .collect(Collectors.joining(" ")),
                kept.stream().flatMap(one -> one.figures().stream()).toList());
    }

    private Published under(String study) {
        return new Published(
                source,
                figures.stream()
                        .map(entry -> new Entry(study + ": " + entry.of(), entry.ours(), entry.theirs()))
                        .toList());
    }

    private static Published read(Path file) {
        try {
            Published read = JSON.readValue(file.toFile(), Published.class);
            if (read == null) {
                throw new ReportException(file + " holds no JSON object");
            }
            return read;
        } catch (JsonProcessingException e) {
            throw new ReportException(
                    "Cannot read " + file + ", which a study wrote, as published figures; without the file the report"
                            + " is made without them: " + e.getOriginalMessage(),
                    e);
        } catch (IOException e) {
            throw new ReportException("Cannot read " + file + ": " + e, e);
        }
    }

    /**
     * Keeps them in a study's folder, in place of those of an earlier attempt, so that reports that are made later have them, too; where
     * nobody published any there is no such file.
     */
    public void keep(Path study) throws IOException {
        if (figures.isEmpty()) {
            Files.deleteIfExists(study.resolve(FILE));
        } else {
            JSON.writeValue(study.resolve(FILE).toFile(), this);
        }
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
                + "<p class=\"quiet\">" + CAUTION + ' ' + Html.escape(source) + "</p>\n</section>\n";
    }

    /** The same as a table for an article; nothing where there are none. */
    String markdown() {
        if (figures.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("| figure | here | published |\n|---|--:|--:|\n");
        for (Entry figure : figures) {
            MarkdownReport.row(text, List.of(figure.of(), figure.ours(), figure.theirs()));
        }
        return text.append('\n')
                .append(CAUTION)
                .append(' ')
                .append(MarkdownReport.cell(source))
                .append("\n\n")
                .toString();
    }
}
