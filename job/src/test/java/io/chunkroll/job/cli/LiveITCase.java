package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.server.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The report of commands that are at work. */
@Timeout(300)
final class LiveITCase {
    private static final int ROWS = 40_000;
    private static final Pattern LIVE = Pattern.compile("Live: (http://localhost:\\d+/)");

    @TempDir
    Path folder;

    private final HttpClient reader = HttpClient.newHttpClient();

    private List<String> run(TestDatabase database, String... more) {
        List<String> words = new ArrayList<>(
                List.of("run", "--run.dir", folder.resolve("run").toString()));
        words.addAll(List.of("--sink.url", database.url(), "--sink.user", database.user()));
        words.addAll(List.of("--source.rows", "" + ROWS, "--source.rate", "5000", "--sink.batch.age", "200 ms"));
        words.addAll(List.of(more));
        return words;
    }

    private static String url(CommandProcess command) {
        await().atMost(Duration.ofMinutes(1))
                .until(() -> LIVE.matcher(command.output()).find());
        try {
            Matcher found = LIVE.matcher(command.output());
            assertThat(found.find()).isTrue();
            return found.group(1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return reader.send(
                HttpRequest.newBuilder(URI.create(url))
                        .timeout(Duration.ofSeconds(20))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<String> untilEnded(CommandProcess command, String url) throws Exception {
        HttpResponse<String> data = get(url + "data.json");
        while (data.headers().firstValue("X-Chunkroll-State").orElse("").equals("running")) {
            assertThat(command.isAlive()).as(command.output()).isTrue();
            Thread.sleep(200);
            data = get(url + "data.json");
        }
        return data;
    }

    @Test
    void aRunServesItsReportUntilItEnds() throws Exception {
        try (TestDatabase database = TestDatabase.create();
                CommandProcess command = CommandProcess.start(folder, Map.of(), run(database, "--live", "0"))) {
            String url = url(command);
            assertThat(get(url).body()).contains("<html");
            try (Socket gone =
                    new Socket(InetAddress.getLoopbackAddress(), URI.create(url).getPort())) {
                gone.getOutputStream()
                        .write("GET /data.json HTTP/1.1\r\nHost: localhost\r\n\r\nGET"
                                .getBytes(StandardCharsets.US_ASCII));
                gone.setSoLinger(true, 0);
            }
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> get(url + "data.json").body().contains("cpu"));
            HttpResponse<String> last = untilEnded(command, url);

            assertThat(last.headers().firstValue("X-Chunkroll-State")).hasValue("ended");
            assertThat(new ObjectMapper().readTree(last.body()).toString()).contains("" + ROWS);
            assertThat(command.waitFor()).as(command.output()).isZero();
            assertThat(command.output()).doesNotContain("Warning");
            assertThat(database.count("SELECT count(*) FROM cpu")).isEqualTo(ROWS);
            assertThat(new ObjectMapper()
                            .readTree(folder.resolve("run/run.json").toFile())
                            .at("/settings/run.live")
                            .asText())
                    .isEqualTo("0");
        }
    }

    @Test
    void aStudyServesAllItsRuns() throws Exception {
        Path study = Files.writeString(folder.resolve("two.yaml"), """
                question: Are both seen?
                repeats: 1
                settings: {source.rows: 10000, source.rate: 5000, sink.kind: discard}
                runs: [{name: one}, {name: other}]
                """);
        List<String> words = List.of(
                "study", study.toString(), "--run.dir", folder.resolve("study").toString(), "--live", "0");
        try (CommandProcess command = CommandProcess.start(folder, Map.of(), words)) {
            HttpResponse<String> last = untilEnded(command, url(command));

            assertThat(command.waitFor()).as(command.output()).isZero();
            assertThat(last.body()).contains("one", "other").doesNotContain("warm-up");
        }
    }

    @Test
    void aPortThatIsTakenIsToldBeforeAnythingBegins() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Cli cli = Cli.run(
                    "run",
                    "--sink.kind",
                    "discard",
                    "--live",
                    "" + taken.getLocalPort(),
                    "--run.dir",
                    folder.resolve("run").toString());

            assertThat(cli.exit()).isEqualTo(2);
            assertThat(cli.err())
                    .contains("run.live localhost:" + taken.getLocalPort())
                    .contains("another port");
            assertThat(folder.resolve("run")).doesNotExist();
        }
    }

    @Test
    void whatIsNoPortIsRefusedByEveryCommand() throws Exception {
        Path study = Files.writeString(folder.resolve("one.yaml"), """
                question: Is it told?
                settings: {source.rows: 10, sink.kind: discard, run.live: 8099}
                runs: [{name: one}]
                """);
        assertThat(Cli.run("run", "--live", "door").err()).contains("run.live \"door\": has no port");
        assertThat(Cli.run("run", "--live", "1", "--run.live", "2").err()).contains("run.live: is given twice");
        assertThat(Cli.run("study", study.toString()).err()).contains("run.live: is not for one run");
        assertThat(Cli.run("study", study.toString(), "--live", "70000").err()).contains("run.live \"70000\"");
        assertThat(Cli.run("demo", "--live", "70000").err()).contains("70000").contains("has no port");
    }

    @Test
    void aPageForOthersComesWithAWarning() {
        Cli cli = Cli.run(
                "run",
                "--sink.kind",
                "discard",
                "--source.rows",
                "1000",
                "--live=0.0.0.0:0",
                "--run.dir",
                folder.resolve("run").toString());

        assertThat(cli.exit()).as(cli.all()).isZero();
        assertThat(cli.out()).contains("Live: http://0.0.0.0:").contains("asks for no password");
    }

    /** {@code script} is part of every Debian, and gives its command a terminal. */
    @Test
    void aTerminalShowsABar() throws Exception {
        List<String> words = new ArrayList<>(
                List.of("run", "--sink.kind", "discard", "--source.rows", "20000", "--source.rate", "5000"));
        words.addAll(List.of("--run.dir", folder.resolve("run").toString()));
        String line = "exec '" + String.join("' '", CommandProcess.words(List.of(), words)) + "'";
        ProcessBuilder builder = new ProcessBuilder("script", "-qec", line, "/dev/null");
        builder.environment().putAll(Map.of("TERM", "xterm", "COLUMNS", "100", "LC_ALL", "C.UTF-8", "NO_COLOR", "1"));
        Process process = builder.redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said)
                .contains("\u001b[K", " % ", "░", " left", "20,000 rows")
                .doesNotContain("\u001b[36m");
        assertThat(said.lines().filter(text -> text.contains("(overall)"))).hasSize(1);
    }
}
