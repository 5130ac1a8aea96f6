package io.chunkroll.job.report;

import static io.chunkroll.job.report.SyntheticRun.sawtooth;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page, as a reader has it in a browser. */
class ReportPageITCase {
    private static final String EVIL =
            "<script>document.title='evil'</script><img src=x onerror=document.title='evil'>";
    /** Half of what browsers' makers call good; tables that come in pieces move a little on a busy machine. */
    private static final double GOOD_SHIFT = 0.05;

    private static final int SECONDS = 160;
    private static final int PLAIN_SECONDS = 200;

    @TempDir
    static Path folder;

    private static Browser browser;
    private static BrowserPage page;
    private static Path report;

    @BeforeAll
    static void openTheBrowser() throws Exception {
        SyntheticRun evil = SyntheticRun.of(EVIL, SECONDS, 1, sawtooth(40, 180_000, 100_000))
                .chunksEvery(40)
                .table(EVIL)
                .fields("\"environment\": {\"host\": \"" + EVIL + "\"},"
                        + " \"rows_per_subtask\": {\"min\": 1, \"mean\": 2, \"max\": 3, \"all\": [11200000, 11200001]}")
                .point(SyntheticRun.point(SECONDS + 1, TimelinePoint.AFTER, 22_400_000, 0))
                .point(SyntheticRun.point(SECONDS + 9, TimelinePoint.AFTER, 22_400_000, 0));
        SyntheticRun plain = SyntheticRun.of("=plain", PLAIN_SECONDS, 1, second -> 184_000 - 720 * second);
        report = folder.resolve("report.html");
        Report.write(List.of(evil.write(folder), plain.write(folder)), report);
        browser = Browser.start(folder);
        page = browser.page();
    }

    @AfterAll
    static void closeTheBrowser() throws InterruptedException {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void openThePage() throws InterruptedException {
        page.errors.clear();
        page.requests.clear();
        page.send(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 1280, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        page.send("Page.navigate", Map.of("url", "about:blank"));
        page.open(report.toUri());
        page.await("typeof chunkrollReport === 'object'");
    }

    /** Whatever a test did. */
    @AfterEach
    void nothingWentWrongAndNothingLeftThePage() {
        assertThat(page.errors).isEmpty();
        assertThat(page.requests)
                .allMatch(address -> address.matches("(file:.*/report\\.html|about:blank|(data|blob):.*)(?s:.*)"));
        assertThat(page.eval("document.title").asText()).isNotEqualTo("evil");
    }

    private static JsonNode lengths(String chart) {
        return page.eval("chunkrollReport.chart('" + chart + "').getOption().series.map(s => s.data.length)");
    }

    @Test
    void drawsEveryPointOfTheTimeline() {
        assertThat(lengths("rate"))
                .extracting(JsonNode::asInt)
                .containsExactly(SECONDS, SECONDS, PLAIN_SECONDS, PLAIN_SECONDS);
        assertThat(lengths("wal")).extracting(JsonNode::asInt).containsExactly(SECONDS + 2, PLAIN_SECONDS);
        assertThat(lengths("growth"))
                .extracting(JsonNode::asInt)
                .containsExactly(SECONDS + 2, SECONDS + 2, PLAIN_SECONDS, PLAIN_SECONDS);
        JsonNode drawn = page.eval("[...document.querySelectorAll('#rate path')].map("
                + "p => (p.getAttribute('d').match(/-?[\\d.]+[ ,]-?[\\d.]+/g) || []).length)");
        assertThat(drawn).extracting(JsonNode::asInt).contains(SECONDS, PLAIN_SECONDS);
    }

    @Test
    void marksTheRollsWithTheirRangeAndShadesWhatCameAfter() {
        assertThat(page.eval("document.getElementById('rate').textContent").asText())
                .contains("chunk 2 · 00:33:20 – 01:06:40", "chunk 4");
        assertThat(page.eval("document.getElementById('wal').textContent").asText())
                .contains("after the load");
        assertThat(page.eval("document.getElementById('rate').textContent").asText())
                .doesNotContain("after the load");
    }

    @Test
    void switchesToOneAxisOfRows() throws Exception {
        page.click("[data-axis=rows]");
        page.await("chunkrollReport.state.axis === 'rows'");

        assertThat(page.eval("chunkrollReport.chart('rate').getOption().series[1].data[159][0]")
                        .asLong())
                .isEqualTo(22_400_000);
        assertThat(page.eval("document.querySelector('[data-axis=rows]').ariaPressed")
                        .asText())
                .isEqualTo("true");
        assertThat(page.eval("document.getElementById('rate').textContent").asText())
                .contains("20 M");
        assertThat(lengths("wal")).extracting(JsonNode::asInt).containsExactly(SECONDS, PLAIN_SECONDS);
        page.click("[data-axis=time]");
        page.await("document.getElementById('rate').textContent.includes('1:00')");
    }

    @Test
    void zoomsAllCurvesAndKeepsThatWithNewerData() throws Exception {
        JsonNode box = page.eval("(() => { const b = document.getElementById('rate').getBoundingClientRect();"
                + " return [b.x + b.width / 2, b.y + b.height / 2]; })()");
        double x = box.get(0).asDouble();
        double y = box.get(1).asDouble();
        page.mouse("mouseMoved", x, y, Map.of());
        page.mouse("mouseWheel", x, y, Map.of("deltaX", 0, "deltaY", -240, "modifiers", 2));
        page.await("chunkrollReport.state.zoom && chunkrollReport.chart('cpu').getOption().dataZoom[0].startValue > 1");
        JsonNode zoom = page.eval("chunkrollReport.state.zoom");

        page.eval("(() => { const d = JSON.parse(document.getElementById('data').textContent); d.runs.pop();"
                + " d.parts = {headline: 'newer'}; chunkrollReport.render(d); })()");

        assertThat(page.eval("document.querySelector('h1').textContent").asText())
                .isEqualTo("newer");
        assertThat(lengths("rate")).hasSize(2);
        assertThat(page.eval("chunkrollReport.state.zoom")).isEqualTo(zoom);
        assertThat(page.eval("chunkrollReport.chart('rate').getOption().dataZoom[0].startValue")
                        .asDouble())
                .isEqualTo(zoom.get(0).asDouble());
        page.click("[data-zoom=all]");
        page.await("chunkrollReport.state.zoom === null"
                + " && chunkrollReport.chart('rate').getOption().dataZoom[0].startValue === 0");
    }

    @Test
    void tellsExactValuesToTheMouseAndToTheKeyboard() throws Exception {
        JsonNode at = page.eval(
                "(() => { const c = chunkrollReport.chart('rate'), b = c.getDom().getBoundingClientRect();"
                        + " const p = c.convertToPixel({gridIndex: 0}, [100, 100000]); return [b.x + p[0], b.y + p[1]]; })()");
        page.mouse("mouseMoved", at.get(0).asDouble(), at.get(1).asDouble(), Map.of());
        page.await("document.getElementById('rate').textContent.includes('into the load')");
        assertThat(page.eval("document.getElementById('rate').innerText").asText())
                .contains("1:40 into the load", "rows/s", "chunk 3 (2016-01-01 01:06:40 – 01:40)", EVIL)
                .contains(
                        "period " + String.format(java.util.Locale.ROOT, "%,d", 184_000 - 720 * 99 - 360) + " rows/s");

        page.eval("document.getElementById('flush').focus()");
        page.key("ArrowRight");
        page.key("ArrowRight");
        page.await("document.getElementById('spoken').textContent.includes('0:02')");
        assertThat(page.eval("document.getElementById('spoken').textContent").asText())
                .contains("p99", "median 40 ms");
        page.key("+");
        page.await("chunkrollReport.state.zoom");
        page.key("0");
        page.await("!chunkrollReport.state.zoom");
    }

    @Test
    void changesBetweenLightAndDark() throws Exception {
        String light =
                page.eval("getComputedStyle(document.body).backgroundColor").asText();
        page.click("#theme");
        page.await("document.documentElement.dataset.theme === 'dark'");
        assertThat(page.eval("getComputedStyle(document.body).backgroundColor").asText())
                .isNotEqualTo(light);
        assertThat(page.eval("chunkrollReport.chart('rate').getOption().color || true")
                        .isNull())
                .isFalse();
        assertThat(page.eval("chunkrollReport.chart('rate').getOption().series[1].color")
                        .asText())
                .isEqualTo("#56b4e9");
        page.click("#theme");
        page.await("document.documentElement.dataset.theme === 'light'");
        assertThat(page.eval("getComputedStyle(document.body).backgroundColor").asText())
                .isEqualTo(light);
    }

    @Test
    void givesTheDataAndThePictureOfAChart() throws Exception {
        Path downloads = Files.createDirectories(folder.resolve("downloads"));
        page.send("Page.setDownloadBehavior", Map.of("behavior", "allow", "downloadPath", downloads.toString()));
        page.click("[data-save=csv][data-chart=rate]");
        List<String> lines = Files.readAllLines(downloaded(downloads.resolve("chunkroll-rate.csv")));
        assertThat(lines).hasSize(1 + SECONDS + 2 + PLAIN_SECONDS);
        assertThat(lines.get(0)).isEqualTo("\ufeffrun,elapsed_s,rows,rows_per_s,average");
        assertThat(lines.get(1)).startsWith(EVIL + ",1,179000,179000,");
        assertThat(lines.get(SECONDS + 3)).startsWith("'=plain,1,183640,183640,");

        page.click("[data-save=svg][data-chart=rate]");
        assertThat(downloaded(downloads.resolve("chunkroll-rate.svg")))
                .content()
                .startsWith("<svg")
                .contains("chunk 2", "&lt;script&gt;")
                .doesNotContain("<script", "<img");
        page.click("[data-save=png][data-chart=rate]");
        assertThat(Files.readAllBytes(downloaded(downloads.resolve("chunkroll-rate.png"))))
                .startsWith(0x89, 'P', 'N', 'G')
                .hasSizeGreaterThan(20_000);
    }

    private static Path downloaded(Path file) throws IOException, InterruptedException {
        long end = System.nanoTime() + 30_000_000_000L;
        while (!Files.exists(file) || Files.size(file) == 0) {
            assertThat(System.nanoTime()).as(file + " is not there").isLessThan(end);
            Thread.sleep(20);
        }
        return file;
    }

    @Test
    void showsTheDataAsATable() throws Exception {
        page.click("#wal-card summary");
        page.await("document.querySelectorAll('#wal-card tr').length === " + (1 + SECONDS + 2 + PLAIN_SECONDS));
        assertThat(page.eval("document.querySelector('#wal-card tr:nth-child(2)').innerText")
                        .asText())
                .contains(EVIL, "179,000");
    }

    @Test
    void showsNamesAsText() {
        assertThat(page.eval("document.body.innerText").asText()).contains(EVIL);
        assertThat(page.eval("document.querySelectorAll('img, script').length").asInt())
                .isEqualTo(3);
    }

    @Test
    void fitsAPhone() throws Exception {
        page.send(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 400, "height", 800, "deviceScaleFactor", 1, "mobile", true));
        page.await("document.documentElement.clientWidth === 400 && chunkrollReport.chart('rate').getWidth() < 400");
        assertThat(page.eval("document.documentElement.scrollWidth").asInt()).isEqualTo(400);
    }

    @Test
    void movesNothingWhileItOpens() {
        assertThat(page.eval("new Promise(done => { let sum = 0; new PerformanceObserver(list => list.getEntries()"
                                + ".forEach(e => sum += e.value)).observe({type: 'layout-shift', buffered: true});"
                                + " setTimeout(() => done(sum), 200); })")
                        .asDouble())
                .isLessThan(GOOD_SHIFT);
    }
}
