package io.chunkroll.job.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.job.live.LivePage;
import io.chunkroll.job.live.LiveRuns;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reader follows a run in a browser, from before its first row until its end. */
@Timeout(300)
class LiveInBrowserITCase {
    private static final String SUMMARY = """
            {"format_version": 1, "name": "%s", "settings": {"sink.kind": "copy", "sink.layout": "plain"}}
            """;
    private static final String POINTS = "chunkrollReport.chart('rate').getOption().series[0]?.data.length";

    @TempDir
    Path folder;

    @Test
    void thePageFollowsTheRun() throws Exception {
        List<TimelinePoint> points =
                SyntheticRun.of("load", 20, 1, second -> 1_000).timeline().points();
        LiveRuns runs = new LiveRuns();
        Browser browser = Browser.start(folder);
        LivePage live = LivePage.open(InetSocketAddress.createUnresolved("localhost", 0), runs);
        try {
            BrowserPage page = browser.page();
            page.open(URI.create(live.url()));
            page.await("document.getElementById('live').textContent === 'Live'");
            Path run = Files.createDirectory(folder.resolve("run"));
            runs.begins(
                    run, new ObjectMapper().readTree(SUMMARY.formatted("<img src=x onerror=document.title='evil'>")));
            points.subList(0, 10).forEach(point -> runs.saw(point, List.of()));
            page.await(POINTS + " === 10");
            page.click("[data-axis=rows]");
            points.subList(10, 20).forEach(point -> runs.saw(point, List.of()));
            page.await(POINTS + " === 20");

            assertThat(page.eval("chunkrollReport.state.axis").asText()).isEqualTo("rows");
            assertThat(page.eval("document.getElementById('part-words').textContent")
                            .asText())
                    .contains("20,000 rows");
            assertThat(page.eval("document.title").asText()).isNotEqualTo("evil");
            CompletableFuture<Void> end = CompletableFuture.runAsync(live::close);
            page.await("document.getElementById('live').textContent.startsWith('Ended')");
            end.join();
            assertThat(page.errors).isEmpty();
            assertThat(page.requests)
                    .allMatch(address -> address.startsWith(live.url()) || address.startsWith("data:"));
            page.send("Page.navigate", Map.of("url", "about:blank"));
        } finally {
            live.close();
            browser.close();
        }
    }
}
