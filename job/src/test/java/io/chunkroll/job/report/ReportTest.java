package io.chunkroll.job.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    private static final String EVIL = "<script>alert(1)</script>";
    private static final String SPOIL = "\"'></script>" + EVIL;
    private static final Pattern DATA =
            Pattern.compile("<script id=\"data\" type=\"application/json\">(.*?)</script>", Pattern.DOTALL);

    @TempDir
    Path folder;

    private final SyntheticRun hypertable = SyntheticRun.hypertable();
    private final SyntheticRun plain = SyntheticRun.plain();

    @Test
    void writesOnePageThatNeedsNothingElse() throws IOException {
        Path out = folder.resolve("new/report.html");
        Report.write(List.of(plain.write(folder), hypertable.write(folder)), out);

        String page = Files.readString(out);
        assertThat(page)
                .contains("<h1 id=\"part-headline\">hypertable was 1.25 times as fast as plain</h1>")
                .contains("default-src 'none'")
                .doesNotContain(
                        "{{", "<script src", "<link rel=\"stylesheet", "@import", "url(http", "sourceMappingURL");
        assertThat(page.length()).isGreaterThan(600_000);
        assertThat(out.getParent()).isDirectoryNotContaining(file -> !file.equals(out));
    }

    @Test
    void writesAgainInPlaceOfTheFormerPage() throws IOException {
        Path run = plain.write(folder);
        Path out = run.resolve(Report.FILE);
        Files.writeString(out, "former");
        Report.write(List.of(run), out);

        assertThat(out).content().startsWith("<!DOCTYPE html>");
    }

    @Test
    void showsTheFiguresForPeople() throws IOException {
        String page = page(plain, hypertable);

        assertThat(page)
                .contains("<th scope=\"row\">Rows written</th><td>22,400,000</td><td>22,400,000</td>")
                .contains("<th scope=\"row\">Time</th><td>3 min 20 s</td><td>2 min 40 s</td>")
                .contains("<th scope=\"row\">Mean rate, rows/s</th><td>112,000</td><td>140,000</td>")
                .contains("<th scope=\"row\">Flush, p99</th><td>133 ms</td>")
                .contains("<th scope=\"row\">Chunks</th><td>–</td><td>4</td>")
                .contains("<th scope=\"row\">WAL written</th><td>6.47 GiB</td>")
                .contains("<th scope=\"row\">Server CPU a row</th><td>8.04 µs</td><td>6.43 µs</td>")
                .contains("<th scope=\"row\">All rows in the table</th><td>yes</td><td>yes</td>");
    }

    @Test
    void showsWhatTheServerDid() throws IOException {
        String page = page(
                SyntheticRun.of("all", 100, 1, second -> 10_000).chunksEvery(50).fields("""
                        "rows_before": 1000000, "table_bytes": 200000000, "index_bytes": 100000000,
                        "server_disk_write_bytes": 1610612736,
                        "rows_per_subtask": {"min": 499999, "mean": 500000.5, "max": 500001, "all": [500001, 499999]},
                        "after_load": {"seconds": 12.3, "server_cpu_seconds": 4.5, "server_disk_write_bytes": 1048576,
                          "ended": "idle", "checkpoint_pending": false},
                        "chunk_list": [{"name": "c<1>", "range_start": "2016-01-01T00:00:00Z", "range_end": "x",
                          "created_at": null, "table_bytes": 1048576, "index_bytes": 2097152}]
                        """));

        assertThat(page)
                .contains("<th scope=\"row\">WAL a row</th><td>310 B</td>")
                .contains("<th scope=\"row\">Table a row</th><td>100 B</td>")
                .contains("<th scope=\"row\">Indexes a row</th><td>50 B</td>")
                .contains("<th scope=\"row\">Written to disk</th><td>1.50 GiB</td>")
                .contains("<th scope=\"row\">Rows a subtask</th><td>500,001</td>")
                .contains("<th scope=\"row\">Subtasks differ by</th><td>0.00%</td>")
                .contains("<th scope=\"row\">After the load: busy for</th><td>12.3 s</td>")
                .contains("<th scope=\"row\">After the load: written to disk</th><td>1 MiB</td>")
                .contains("<summary>all: 1 chunk, with sizes</summary>")
                .contains("<th scope=\"row\">c&lt;1&gt;</th><td>1 MiB</td><td>2 MiB</td><td>–</td>"
                        + "<td>2016-01-01 00:00:00</td><td>x</td>")
                .doesNotContain("What was not measured");
    }

    @Test
    void saysWhyAFigureIsNotThereAndWhatWasNotSeenToItsEnd() throws IOException {
        String page = page(SyntheticRun.of("some", 10, 1, second -> 10).fields("""
                        "wal_bytes": null,
                        "after_load": {"seconds": 30, "server_cpu_seconds": 4.5, "server_disk_write_bytes": null,
                          "ended": "limit", "checkpoint_pending": true},
                        "not_measured": {"wal_bytes": "a <standby>", "after_load.server_disk_write_bytes": "no right"}
                        """));

        assertThat(page)
                .contains("<th scope=\"row\">WAL written</th><td>–</td>")
                .contains("<th scope=\"row\">WAL a row</th><td>–</td>")
                .contains("<th scope=\"row\">wal_bytes</th><td>a &lt;standby&gt;</td>")
                .contains("<th scope=\"row\">after_load.server_disk_write_bytes</th><td>no right</td>")
                .contains("<td>more than 30 s, a checkpoint still to come</td>");
    }

    @Test
    void showsTheChunksOfHypertablesOnly() throws IOException {
        assertThat(page(plain, hypertable))
                .contains("<h3>hypertable</h3>")
                .doesNotContain("<h3>plain</h3>")
                .contains("<th scope=\"row\">2</th><td>34%</td><td>× 1.52</td><td>169,000</td><td>111,000</td>"
                        + "<td>0 s</td><td>−14,300</td><td>5,600,000</td><td>40 s</td><td>2016-01-01 00:33:20</td><td>2016-01-01 01:06:40</td>"
                        + "<td>_hyper_1_2_chunk</td>");
        assertThat(page(plain)).doesNotContain("<h3>");
    }

    @Test
    void marksSettingsThatDiffer() throws IOException {
        assertThat(page(plain, hypertable))
                .contains("<tr class=\"differs\"><th scope=\"row\">sink.layout</th><td>plain</td><td>hypertable</td>")
                .contains("<tr class=\"\"><th scope=\"row\">source.devices</th><td>20000</td><td>20000</td>");
    }

    @Test
    void givesTheScriptLinesAndRolls() throws IOException {
        JsonNode data = data(page(plain, hypertable));
        JsonNode runs = data.path("runs");

        assertThat(data.path("format_version").asInt()).isEqualTo(PageData.FORMAT_VERSION);
        assertThat(runs).hasSize(2);
        assertThat(runs.get(0).path("name").asText()).isEqualTo("plain");
        assertThat(runs.get(0).path("rolls")).isEmpty();
        JsonNode run = runs.get(1);
        assertThat(run.path("rolls")).hasSize(4);
        assertThat(run.path("rolls").get(1).path("at_s").asDouble()).isEqualTo(40);
        assertThat(run.path("rolls").get(1).path("at_rows").asLong()).isEqualTo(5_600_000);
        assertThat(run.path("rolls").get(1).path("label").asText()).isEqualTo("chunk 2");
        assertThat(run.path("rolls").get(1).path("from").asText()).isEqualTo("2016-01-01T00:33:20Z");
        JsonNode points = run.path("points");
        assertThat(points).allSatisfy(column -> assertThat(column).hasSize(160));
        assertThat(points.path("average").get(19).asDouble()).isBetween(139_000.0, 142_000.0);
        assertThat(points.path("rows").get(159).asLong()).isEqualTo(22_400_000);
        assertThat(points.path("client_cpu").get(0).isNull()).isTrue();
    }

    @Test
    void saysWhoWasFasterAndWhetherThatIsMoreThanChance() throws IOException {
        String page = page(
                SyntheticRun.of("slow", 10, 1, second -> 50),
                SyntheticRun.of("fast", 10, 1, second -> 120),
                SyntheticRun.of("slow", 10, 1, second -> 60),
                SyntheticRun.of("fast", 10, 1, second -> 100),
                SyntheticRun.of("even", 10, 1, second -> 105),
                SyntheticRun.of("even", 10, 1, second -> 95),
                SyntheticRun.of("once", 10, 1, second -> 10));

        assertThat(page)
                .containsSubsequence(
                        "fast</th><td class=\"rate\">110",
                        "× 1.00",
                        "18% of 2 runs",
                        "the fastest",
                        "even</th><td class=\"rate\">100",
                        "× 0.91",
                        "10% of 2 runs",
                        "within the spread",
                        "slow</th><td class=\"rate\">55.0",
                        "× 0.50",
                        "18% of 2 runs",
                        "beyond the spread",
                        "once</th><td class=\"rate\">10.0",
                        "× 0.09",
                        "one run",
                        "no spread is known");
        JsonNode data = data(page);
        assertThat(data.path("comparison").get(2).path("verdict").asText()).isEqualTo("beyond");
        assertThat(data.path("runs"))
                .extracting(run -> run.path("group").asInt())
                .containsExactly(0, 1, 0, 1, 2, 2, 3);
        assertThat(data.path("runs"))
                .extracting(run -> run.path("repeat").asInt())
                .containsExactly(1, 1, 2, 2, 1, 2, 1);
    }

    @Test
    void comparesNothingWhereThereIsNothingToCompare() throws IOException {
        String once = page(SyntheticRun.of("once", 10, 1, second -> 100)
                .fields("\"started_at\": \"2026-01-02T03:04:05.114275037Z\""));
        assertThat(once)
                .contains("1 run, begun 2026-01-02 03:04:05 UTC", "once</th><td class=\"rate\">100</td>")
                .doesNotContain("× 1.00", "one run", "the fastest", "of the fastest", "no spread");

        assertThat(page(SyntheticRun.of("twice", 10, 1, second -> 50), SyntheticRun.of("twice", 10, 1, second -> 60)))
                .contains("2 runs, begun 2026-01-02 03:04:05 UTC", "18% of 2 runs")
                .doesNotContain("× 1.00", "of the fastest");
    }

    /** Periods that are no whole seconds, and rates that differ, have more digits than round ones. */
    @Test
    void aRunOfTwoHoursMakesAPageOfFewMegabytes() throws IOException {
        SyntheticRun run = SyntheticRun.of(
                        "long", 7_200 * 1.0037, 1.0037, second -> 150_000 + 30_000 * Math.sin(second))
                .chunksEvery(300);
        Path out = folder.resolve("report.html");
        Report.write(List.of(run.write(folder)), out);

        assertThat(run.timeline().points()).hasSize(7_200);
        assertThat(Files.size(out)).isBetween(1_000_000L, 3_000_000L);
    }

    @Test
    void keepsNamesText() throws IOException {
        String page = page(SyntheticRun.of(EVIL + "&'{{data}}", 60, 1, second -> 1_000)
                .chunksEvery(20)
                .table(EVIL)
                .fields("\"environment\": {\"<b>\": \"</script><!--\"}"));

        assertThat(page.split("<script", -1)).hasSize(4);
        assertThat(page.split("</script>", -1)).hasSize(4);
        assertThat(page)
                .doesNotContain(EVIL, "<b>\"", "<!--")
                .contains("<td>&lt;script&gt;alert(1)&lt;/script&gt;</td>")
                .contains("&lt;/script&gt;&amp;&#39;{{data}}");
        assertThat(data(page).path("runs").get(0).path("name").asText()).isEqualTo(EVIL + "&'{{data}}");
    }

    /** Hosts, settings, tables, chunks, versions, failures: whatever a run's file holds. */
    @Test
    void keepsEveryTextOfARunText() throws IOException {
        Path run = hypertable
                .fields(
                        "\"outcome\": \"failed\", \"failure\": \"it broke\","
                                + " \"table\": {\"name\": \"cpu\", \"layout\": \"hypertable\", \"indexes\": [\"CREATE INDEX\"]}")
                .write(folder);
        ObjectMapper json = new ObjectMapper();
        Path file = run.resolve(RunFolder.SUMMARY_FILE);
        json.writeValue(file.toFile(), spoiled(json.readTree(file.toFile())));
        Path out = folder.resolve("report.html");

        Report.write(List.of(run), out);

        String page = Files.readString(out);
        assertThat(page).contains("hypertable" + Html.escape(SPOIL), "cpu" + Html.escape(SPOIL));
        assertThat(page).contains("server.shared_buffers" + Html.escape(SPOIL)).doesNotContain(SPOIL, EVIL);
        assertThat(page.split("<script", -1)).hasSize(4);
        assertThat(page.split("</script", -1)).hasSize(4);
        assertThat(data(page).path("runs").get(0).path("name").asText()).isEqualTo("hypertable" + SPOIL);
    }

    /** Texts with a script behind them, and names too where they are free. */
    private static JsonNode spoiled(JsonNode node) {
        if (node instanceof ObjectNode object) {
            ObjectNode spoiled = object.objectNode();
            object.properties().forEach(field -> {
                boolean free = field.getKey().contains(".") || field.getKey().equals("java");
                boolean parsed = List.of("time", "elapsed_s").contains(field.getKey());
                spoiled.set(
                        free ? field.getKey() + SPOIL : field.getKey(),
                        parsed ? field.getValue() : spoiled(field.getValue()));
            });
            return spoiled;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode spoiled = array.arrayNode();
            array.forEach(item -> spoiled.add(spoiled(item)));
            return spoiled;
        }
        return node.isTextual() ? new TextNode(node.asText() + SPOIL) : node;
    }

    @Test
    void reportsOnARunWithoutRows() throws IOException {
        Path run = SyntheticRun.of("empty", 5, 1, second -> 0)
                .fields("\"rows_per_second\": null, \"rows_written\": null, \"seconds\": null")
                .write(folder);
        Files.writeString(run.resolve(Timeline.FILE), Timeline.header() + "\n");

        Path out = folder.resolve("report.html");
        Report.write(List.of(run), out);
        assertThat(out)
                .content()
                .contains("<h1 id=\"part-headline\">No rows were written</h1>", "empty wrote no rows.");
    }

    @Test
    void refusesWhatIsNoRun() {
        assertThatThrownBy(() -> Report.write(List.of(), folder.resolve("out.html")))
                .isInstanceOf(ReportException.class)
                .hasMessageContaining("at least one run folder");
        assertThatThrownBy(() -> Report.write(List.of(folder), folder.resolve("out.html")))
                .isInstanceOf(ReportException.class)
                .hasMessageContaining("run.json");
        assertThat(folder.resolve("out.html")).doesNotExist();
    }

    @Test
    void saysWhichReportCannotBeWritten() throws IOException {
        Path run = plain.write(folder);
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> Report.write(List.of(run), file.resolve("report.html")))
                .isInstanceOf(ReportException.class)
                .hasMessageContaining("Cannot write the report " + file);
    }

    private String page(SyntheticRun... runs) throws IOException {
        List<RunFolder> folders = new ArrayList<>();
        for (SyntheticRun run : runs) {
            folders.add(run.read(folder));
        }
        return Report.page(folders, Published.none());
    }

    private static JsonNode data(String page) throws IOException {
        Matcher matcher = DATA.matcher(page);
        assertThat(matcher.find()).isTrue();
        return new ObjectMapper().readTree(matcher.group(1));
    }
}
