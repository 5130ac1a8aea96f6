package io.chunkroll.job.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One page about any number of runs, in one file that needs no network. */
public final class Report {
    /** The report's usual name in a run folder. */
    public static final String FILE = "report.html";

    private static final String CHARTS = "/META-INF/resources/webjars/echarts/5.3.1/dist/echarts.common.min.js";
    /** How the page's policy begins. */
    private static final String NO_REQUESTS = "default-src 'none';";

    private static final Pattern PLACE = Pattern.compile("\\{\\{([\\w-]+)}}");

    private static final Pattern TIME = Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)T(\\d\\d:\\d\\d:\\d\\d)(?:\\.\\d+)?Z");

    private static final List<String> SCRIPTS = List.of("curves.js", "options.js", "report.js");
    private static final Map<String, String> CARDS = Map.of(
            "rate", "Rows a second of each run",
            "flush", "Duration of flushes",
            "cpu", "CPU of server and client, in cores",
            "disk", "Bytes a second that the server wrote",
            "wal", "Bytes of write-ahead log",
            "rows", "Rows committed",
            "growth", "Bytes of table and indexes",
            "sizes", "Bytes of table, indexes and log at the end",
            "subtasks", "Rows of each subtask");

    private Report() {}

    /**
     * Reads the run folders and writes the page, in place of one that was there.
     *
     * @throws ReportException naming the folder that is none, or the file that cannot be written
     */
    public static void write(List<Path> runFolders, Path out) {
        write(runFolders, out, ReportFormat.HTML, Published.none());
    }

    /** The same with figures that others published; a format other than HTML has its own selection. */
    public static void write(List<Path> runFolders, Path out, ReportFormat format, Published published) {
        if (runFolders.isEmpty()) {
            throw new ReportException("A report needs at least one run folder");
        }
        write(runFolders.stream().map(RunFolder::read).toList(), published, out, format);
    }

    /** The same of runs that are read already. */
    public static void write(List<RunFolder> folders, Published published, Path out, ReportFormat format) {
        try {
            replace(out.toAbsolutePath(), format.make(folders, published));
        } catch (IOException e) {
            throw new ReportException("Cannot write the report " + out + ": " + e, e);
        }
    }

    private static void replace(Path out, byte[] page) throws IOException {
        Files.createDirectories(out.getParent());
        Path whole = out.resolveSibling(out.getFileName() + ".part");
        try {
            Files.write(whole, page);
            Files.move(whole, out, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(whole);
        }
    }

    /** What the page draws, with those of its pieces that change: what it asks for again and again while runs go on. */
    public static String liveData(List<RunFolder> folders) {
        ObjectNode data = data(MeasuredRun.of(folders), Published.none());
        ObjectNode pieces = data.putObject("parts");
        parts(folders).forEach(pieces::put);
        return Html.json(data);
    }

    /** The page as it is served while runs go on: it asks for newer data, from where it came and nowhere else. */
    public static String livePage(List<RunFolder> folders) {
        String page = page(folders, Published.none()).replaceFirst(NO_REQUESTS, NO_REQUESTS + " connect-src 'self';");
        int end = page.lastIndexOf("</body>");
        return page.substring(0, end) + "<script>\n" + resource("live.js") + "</script>\n" + page.substring(end);
    }

    static String page(List<RunFolder> folders, Published published) {
        List<MeasuredRun> runs = MeasuredRun.of(folders);
        Map<String, String> parts = new HashMap<>(parts(folders));
        parts.put("title", Html.escape(title(runs)));
        parts.put("began", Html.escape(began(runs)));
        parts.put("published", published.html());
        parts.put("unmeasured", unmeasured(runs));
        parts.put("sizes", ChunkListTable.of(runs));
        parts.put("settings", SettingsTable.of("Setting", runs, RunSummary::settings));
        parts.put("environment", SettingsTable.of("Environment", runs, RunSummary::environment));
        parts.put("style", resource("report.css"));
        parts.put("data", Html.json(data(runs, published)));
        parts.put("charts", resource(CHARTS));
        parts.put("script", SCRIPTS.stream().map(Report::resource).collect(Collectors.joining("\n")));
        CARDS.forEach((id, label) -> parts.put("chart-" + id, ChartCard.of(id, label, id.equals("rate"))));
        return fill(resource("report.html"), parts);
    }

    /** What the page draws; docs/report-data.md has its fields. */
    static ObjectNode data(List<MeasuredRun> runs, Published published) {
        return PageData.of(runs, Comparison.of(runs), published);
    }

    /** Those pieces of the page that say something else when the runs have gone on; all texts in them are escaped. */
    static Map<String, String> parts(List<RunFolder> folders) {
        List<MeasuredRun> runs = MeasuredRun.of(folders);
        Comparison comparison = Comparison.of(runs);
        return Map.of(
                "headline", Html.escape(ClosingWords.headline(folders)),
                "comparison", ComparisonTable.of(comparison),
                "words", words(folders),
                "summary", SummaryTable.of(runs),
                "server", DifferenceTable.of(comparison).html() + ServerTable.of(runs),
                "chunks", ChunkTable.of(runs));
    }

    /** In one pass, so what is filled in is never taken for a place to fill. */
    private static String fill(String template, Map<String, String> parts) {
        return PLACE.matcher(template).replaceAll(place -> Matcher.quoteReplacement(parts.get(place.group(1))));
    }

    private static String title(List<MeasuredRun> runs) {
        return runs.stream().map(MeasuredRun::label).collect(Collectors.joining(", ", "", " – chunkroll"));
    }

    private static String began(List<MeasuredRun> runs) {
        String first = runs.stream()
                .flatMap(run -> run.summary().startedAt().stream())
                .min(String::compareTo)
                .orElse("");
        String toTheSecond = TIME.matcher(first).replaceFirst("$1 $2 UTC");
        return (runs.size() == 1 ? "1 run" : runs.size() + " runs") + (first.isEmpty() ? "" : ", begun " + toTheSecond);
    }

    private static String words(List<RunFolder> folders) {
        return ClosingWords.paragraphs(folders).stream()
                .map(words -> "<p>" + Html.escape(words) + "</p>\n")
                .collect(Collectors.joining());
    }

    /** Nothing where every figure was measured, or the run did not say why not. */
    private static String unmeasured(List<MeasuredRun> runs) {
        return runs.stream().allMatch(run -> run.summary().notMeasured().isEmpty())
                ? ""
                : "<details>\n<summary>What was not measured, and why</summary>\n"
                        + SettingsTable.of("Figure", runs, RunSummary::notMeasured) + "</details>\n";
    }

    private static String resource(String name) {
        try (InputStream stream = Report.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("This build of chunkroll lacks " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read " + name + " of this build of chunkroll", e);
        }
    }
}
