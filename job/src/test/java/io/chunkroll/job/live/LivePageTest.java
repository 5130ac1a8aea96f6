package io.chunkroll.job.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.job.report.Report;
import io.chunkroll.job.report.TimelinePoint;
import io.chunkroll.job.report.TimelineWriter;
import io.chunkroll.job.settings.SettingsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LivePageTest {
    private static final InetSocketAddress ANY_PORT = InetSocketAddress.createUnresolved("localhost", 0);

    @TempDir
    Path folder;

    private final LiveRuns runs = new LiveRuns();
    private final LivePage page = LivePage.open(ANY_PORT, runs);
    private final HttpClient reader = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        page.close();
    }

    private static JsonNode summary(String name) throws IOException {
        return new ObjectMapper().readTree("""
                {"format_version": 1, "name": "%s", "settings": {"sink.kind": "copy", "sink.layout": "plain"}}
                """.formatted(name));
    }

    private static TimelinePoint point(int second) {
        OptionalDouble none = OptionalDouble.empty();
        OptionalLong nothing = OptionalLong.empty();
        Instant time = Instant.parse("2026-01-02T03:04:05Z").plusSeconds(second);
        return new TimelinePoint(
                time,
                second,
                TimelinePoint.LOAD,
                1_000L * second,
                1_000,
                none,
                none,
                none,
                nothing,
                nothing,
                none,
                none,
                nothing,
                nothing,
                nothing);
    }

    private HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(page.url()).resolve(path)).timeout(Duration.ofSeconds(20));
        return reader.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    /** What a browser would not send. */
    private String raw(String... lines) throws IOException {
        try (Socket socket = connect()) {
            String request = String.join("\r\n", lines) + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.setSoTimeout(10_000);
            byte[] answer = socket.getInputStream().readNBytes(12);
            return new String(answer, StandardCharsets.US_ASCII);
        }
    }

    private Socket connect() throws IOException {
        URI url = URI.create(page.url());
        return new Socket(InetAddress.getLoopbackAddress(), url.getPort());
    }

    @Test
    void servesTheReportAndItsData() throws Exception {
        runs.begins(folder, summary("<script>alert(1)</script>"));
        runs.saw(point(1), List.of());
        runs.saw(point(2), List.of());

        HttpResponse<String> html = get("/");
        assertThat(html.statusCode()).isEqualTo(200);
        assertThat(html.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
        assertThat(html.body())
                .contains("<html", "default-src 'none'; connect-src 'self';", "fetch('data.json'")
                .doesNotContain("<script>alert(1)");
        HttpResponse<String> data = get("/data.json");
        assertThat(data.body()).isEqualTo(Report.liveData(runs.now().runs())).contains("2000");
        assertThat(data.headers().firstValue(LivePage.STATE)).hasValue("running");
        assertThat(new ObjectMapper().readTree(data.body()).isEmpty()).isFalse();
    }

    @Test
    void sendsNothingAgainUntilSomethingIsSeen() throws Exception {
        runs.begins(folder, summary("load"));
        String tag = get("/data.json").headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> same = get("/data.json", "If-None-Match", tag);
        assertThat(same.statusCode()).isEqualTo(304);
        assertThat(same.body()).isEmpty();
        runs.saw(point(1), List.of());
        HttpResponse<String> newer = get("/data.json", "If-None-Match", tag);
        assertThat(newer.statusCode()).isEqualTo(200);
        assertThat(newer.headers().firstValue("ETag").orElseThrow()).isNotEqualTo(tag);
    }

    @Test
    void beginsBeforeTheFirstRun() throws Exception {
        assertThat(get("/").statusCode()).isEqualTo(200);
        assertThat(get("/data.json").statusCode()).isEqualTo(200);
        runs.saw(point(1), List.of());
        assertThat(runs.now().runs()).isEmpty();
    }

    @Test
    void readsRunsThatAreOverFromTheirFolders() throws Exception {
        runs.begins(folder, summary("first"));
        runs.saw(point(1), List.of());
        Files.writeString(
                folder.resolve("run.json"), "{\"format_version\": 1, \"name\": \"first\", \"rows_written\": 77}");
        try (TimelineWriter timeline = TimelineWriter.create(folder)) {
            timeline.append(point(1));
        }
        runs.ended();
        runs.ended();
        runs.begins(folder.resolve("never"), summary("second"));
        runs.ended();

        assertThat(runs.now().runs())
                .hasSize(1)
                .allMatch(run -> run.summary().whole("rows_written").orElse(0) == 77);
    }

    @Test
    void refusesOtherHostsPathsAndMethods() throws Exception {
        assertThat(raw("GET /data.json HTTP/1.1", "Host: evil.example")).isEqualTo("HTTP/1.1 403");
        assertThat(raw("GET /data.json HTTP/1.0")).startsWith("HTTP/1.").endsWith("403");
        assertThat(get("/../run.json").statusCode()).isEqualTo(404);
        assertThat(get("/data.json/x").statusCode()).isEqualTo(404);
        assertThat(raw("POST / HTTP/1.1", "Host: localhost", "Content-Length: 0"))
                .isEqualTo("HTTP/1.1 405");
        assertThat(raw("HEAD / HTTP/1.1", "Host: localhost")).isEqualTo("HTTP/1.1 200");
        assertThat(get("/").headers().map()).doesNotContainKey("access-control-allow-origin");
    }

    @Test
    void readersThatStandStillDisturbNobody() throws Exception {
        runs.begins(folder, summary("load"));
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                Socket socket = connect();
                socket.getOutputStream()
                        .write("GET /data.json HTTP/1.1\r\nHost: loc".getBytes(StandardCharsets.US_ASCII));
                silent.add(socket);
            }
            for (int i = 1; i <= 10_000; i++) {
                runs.saw(point(i), List.of());
            }
            assertThat(runs.now().runs().get(0).timeline().points()).hasSize(10_000);
        } finally {
            for (Socket socket : silent) {
                socket.setSoLinger(true, 0);
                socket.close();
            }
        }
        assertThat(get("/data.json").statusCode()).isEqualTo(200);
    }

    @Test
    void tellsThoseWhoLookThatTheRunHasEnded() throws Exception {
        get("/data.json");
        CompletableFuture<Void> closing = CompletableFuture.runAsync(page::close);
        String state = "running";
        while (state.equals("running")) {
            state = get("/data.json").headers().firstValue(LivePage.STATE).orElseThrow();
        }
        closing.join();

        assertThat(state).isEqualTo("ended");
        assertThatThrownBy(() -> get("/data.json")).isInstanceOf(IOException.class);
    }

    @Test
    void aPortThatIsTakenIsAFaultOfTheSetting() {
        int port = URI.create(page.url()).getPort();

        assertThatThrownBy(() -> LivePage.open(InetSocketAddress.createUnresolved("localhost", port), runs))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("run.live localhost:" + port)
                .hasMessageContaining("another port, or 0");
        assertThatThrownBy(() -> LivePage.open(InetSocketAddress.createUnresolved("nowhere.invalid", 0), runs))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("not known");
    }

    @Test
    void isOpenToOthersOnlyWhereAsked() {
        assertThat(page.isOpenToOthers()).isFalse();
        try (LivePage open = LivePage.open(InetSocketAddress.createUnresolved("0.0.0.0", 0), new LiveRuns())) {
            assertThat(open.isOpenToOthers()).isTrue();
            assertThat(open.url()).startsWith("http://0.0.0.0:");
        }
        try (LivePage named = LivePage.open(InetSocketAddress.createUnresolved("127.0.0.1", 0), new LiveRuns())) {
            assertThat(named.url()).startsWith("http://localhost:");
        }
    }
}
