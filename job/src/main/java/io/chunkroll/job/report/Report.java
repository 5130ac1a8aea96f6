package io.chunkroll.job.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
    private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

    private Report() {}

    /**
     * Reads the run folders and writes the page, in place of one that was there.
     *
     * @throws ReportException naming the folder that is none, or the file that cannot be written
     */
    public static void write(List<Path> runFolders, Path out) {
        if (runFolders.isEmpty()) {
            throw new ReportException("A report needs at least one run folder");
        }
        String page = page(runFolders.stream().map(RunFolder::read).toList());
        try {
            replace(out.toAbsolutePath(), page);
        } catch (IOException e) {
            throw new ReportException("Cannot write the report " + out + ": " + e, e);
        }
    }

    private static void replace(Path out, String page) throws IOException {
        Files.createDirectories(out.getParent());
        Path whole = out.resolveSibling(out.getFileName() + ".part");
        try {
            Files.writeString(whole, page);
            Files.move(whole, out, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(whole);
        }
    }

    static String page(List<RunFolder> folders) {
        List<MeasuredRun> runs = MeasuredRun.of(folders);
        return fill(
                resource("report.html"),
                Map.ofEntries(
                        Map.entry("title", Html.escape(title(runs))),
                        Map.entry("headline", Html.escape(ClosingWords.headline(folders))),
                        Map.entry("began", Html.escape(began(runs))),
                        Map.entry("keys", keys(runs)),
                        Map.entry("words", words(folders)),
                        Map.entry("summary", SummaryTable.of(runs)),
                        Map.entry("server", ServerTable.of(runs)),
                        Map.entry("unmeasured", unmeasured(runs)),
                        Map.entry("sizes", ChunkListTable.of(runs)),
                        Map.entry("chunks", ChunkTable.of(runs)),
                        Map.entry("settings", SettingsTable.of("Setting", runs, RunSummary::settings)),
                        Map.entry("environment", SettingsTable.of("Environment", runs, RunSummary::environment)),
                        Map.entry("style", resource("report.css")),
                        Map.entry("data", Html.json(ChartData.of(runs))),
                        Map.entry("charts", resource(CHARTS)),
                        Map.entry("script", resource("report.js"))));
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
        return (runs.size() == 1 ? "1 run" : runs.size() + " runs") + (first.isEmpty() ? "" : ", begun " + first);
    }

    private static String words(List<RunFolder> folders) {
        return ClosingWords.paragraphs(folders).stream()
                .map(words -> "<p>" + Html.escape(words) + "</p>\n")
                .collect(Collectors.joining());
    }

    private static String keys(List<MeasuredRun> runs) {
        StringBuilder html = new StringBuilder();
        for (int i = 0; i < runs.size(); i++) {
            MeasuredRun run = runs.get(i);
            html.append("<li class=\"key\" data-run=\"").append(i).append("\"><span>");
            html.append(Html.escape(run.label())).append("</span><strong>");
            html.append(Figures.rate(run.meanRate().orElse(0))).append("</strong></li>\n");
        }
        return html.toString();
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
