package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.chunkroll.job.IngestJob;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.server.PostgresServer;
import io.chunkroll.testing.TestCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.client.program.ClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.test.junit5.InjectClusterClient;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whichever way a password is given, and however the load ends: it is in nothing that the program writes, says or shows. */
@Timeout(100)
final class SecretsITCase {
    private static final String SECRET = "hunter2-Zq9";
    private static final Pattern REST = Pattern.compile("Rest endpoint listening at (?:http://)?([^\\s:]+:\\d+)");

    private static PostgresServer server;

    @TempDir
    Path folder;

    /** How a password is given. */
    enum Way {
        OPTION,
        URL,
        FILE
    }

    @BeforeAll
    static void start() {
        server = PostgresServer.startPrivate(Map.of(), SECRET);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void makeTables() throws SQLException {
        execute("DROP TABLE IF EXISTS cpu, checked");
        execute("CREATE TABLE checked (id int, v text CHECK (v <> 'bad'))");
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static boolean hasRows(String table) {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT 1 FROM " + table + " LIMIT 1")) {
            return row.next();
        } catch (SQLException e) {
            return false;
        }
    }

    private List<String> words(Way way, Path runDir, String... settings) throws IOException {
        String url = server.jdbcUrl() + (way == Way.URL ? "?password=" + SECRET : "");
        List<String> words = new ArrayList<>(
                List.of("--sink.url", url, "--sink.user", server.user(), "--run.dir", runDir.toString()));
        words.addAll(
                switch (way) {
                    case OPTION -> List.of("--sink.password", SECRET);
                    case URL -> List.of();
                    case FILE ->
                        List.of(
                                "--config",
                                Files.writeString(runDir.resolveSibling("c.yaml"), "sink.password: " + SECRET)
                                        .toString());
                });
        words.addAll(List.of(settings));
        return words;
    }

    private Cli run(Way way, String name, String... settings) throws IOException {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(words(way, folder.resolve(name), settings));
        return Cli.run(words.toArray(String[]::new));
    }

    private String[] file(String rows) throws IOException {
        Path file = Files.writeString(folder.resolve("in.csv"), "id,v\n" + rows);
        return new String[] {"--source.kind", "csv", "--source.path", file.toString(), "--sink.table"};
    }

    private static String[] and(String[] first, String... more) {
        return Stream.concat(Stream.of(first), Stream.of(more)).toArray(String[]::new);
    }

    private void assertHidden(Cli run, int exit, String name) throws IOException {
        assertThat(run.exit()).as(run.all()).isEqualTo(exit);
        assertThat(run.all()).doesNotContain(SECRET);
        assertHiddenIn(folder.resolve(name));
        assertHiddenIn(
                Path.of(System.getProperty("java.io.tmpdir"), "chunkroll-" + System.getProperty("user.name") + ".log"));
    }

    private static void assertHiddenIn(Path place) throws IOException {
        if (Files.notExists(place)) {
            return;
        }
        try (Stream<Path> files = Files.walk(place)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1).contains(SECRET))
                        .as("%s holds the password", file)
                        .isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void inALoadThatSucceeds(Way way) throws IOException {
        System.setProperty("chunkroll.log.level", "DEBUG");
        try {
            Cli run = run(way, "good", and(file("1,a\nx,b\n"), "checked", "--source.on-bad-row", "reject"));

            assertHidden(run, 3, "good");
            assertThat(folder.resolve("good/chunkroll.log")).content().contains("DEBUG");
            assertThat(folder.resolve("good")).isDirectoryRecursivelyContaining("glob:**/rejects/*");
            assertThat(folder.resolve("good/run.json")).content().contains("******");
        } finally {
            System.clearProperty("chunkroll.log.level");
        }
    }

    @ParameterizedTest
    @CsvSource({"OPTION, jdbc", "URL, copy", "FILE, copy"})
    void inLoadsThatFail(Way way, String sink) throws IOException {
        assertHidden(run(way, "table", and(file("1,a\n"), "no.such")), 1, "table");
        assertHidden(run(way, "row", and(file("1,a\n2,bad\n"), "checked", "--sink.kind", sink)), 1, "row");
    }

    @Test
    void inAUrlThatIsNone() throws IOException {
        for (String url : List.of("postgresql://h/db?password=", "jdbc:postgresql://h:port/db?password=")) {
            Cli run = Cli.run(
                    "run",
                    "--sink.url",
                    url + SECRET,
                    "--run.dir",
                    folder.resolve("none").toString());
            assertThat(run.exit()).isIn(1, 2);
            assertHidden(run, run.exit(), "none");
        }
    }

    @Test
    void inTheEnvironment() throws Exception {
        List<String> words =
                new ArrayList<>(List.of("run", "--sink.url", server.jdbcUrl(), "--sink.user", server.user()));
        words.addAll(List.of("--run.dir", folder.resolve("env").toString()));
        words.addAll(List.of(and(file("1,a\n2,bad\n"), "checked")));
        try (CommandProcess command = CommandProcess.start(folder, Map.of("CHUNKROLL_PASSWORD", SECRET), words)) {
            assertThat(command.waitFor()).as(command.output()).isEqualTo(1);
            assertThat(command.output()).contains("violates check constraint").doesNotContain(SECRET);
        }
        assertHiddenIn(folder.resolve("env"));
    }

    /** The REST server of a run on this machine is asked while rows come; then the server goes away for good. */
    @ParameterizedTest
    @EnumSource(names = {"OPTION", "URL"})
    void whileALoadRunsAndWhenItsServerIsLost(Way way) throws Exception {
        CompletableFuture<Cli> running = CompletableFuture.supplyAsync(() -> runUntilLost(way));
        await().atMost(Duration.ofMinutes(1)).until(() -> running.isDone() || hasRows("cpu"));
        Matcher rest = REST.matcher(Files.readString(folder.resolve("lost/chunkroll.log")));
        assertThat(rest.find()).isTrue();
        Map<String, String> answers = FlinkRest.answers("http://" + rest.group(1));
        server.kill();
        try {
            assertHidden(running.get(2, TimeUnit.MINUTES), 1, "lost");
        } finally {
            server.start();
        }
        assertThat(answers.keySet()).anyMatch(path -> path.endsWith("/exceptions?maxExceptions=100"));
        assertThat(answers).allSatisfy((path, answer) -> assertThat(answer).doesNotContain(SECRET));
    }

    private Cli runUntilLost(Way way) {
        try {
            return run(way, "lost", "--source.rows", "0", "--source.rate", "1000", "--sink.retry-for", "1 s");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void inSettingsAsText() throws IOException {
        Path none = folder.resolve("none");
        for (Way way : Way.values()) {
            Settings settings = Settings.of(words(way, none));
            assertThat(settings.toString()).doesNotContain(SECRET);
            assertThat(settings.sink().server().orElseThrow().toString()).doesNotContain(SECRET);
        }
    }

    /** A job that a cluster runs, and keeps the memory of. */
    @Nested
    class OnACluster {
        @RegisterExtension
        private static final MiniClusterExtension CLUSTER =
                TestCluster.ofSlots(2, () -> new Configuration().set(RestartStrategyOptions.RESTART_STRATEGY, "none"));

        @ParameterizedTest
        @EnumSource
        void inAJobThatFails(Way way, @InjectClusterClient ClusterClient<?> client) throws Exception {
            List<String> words = words(
                    way, folder.resolve("cluster"), and(file("1,a\n2,bad\n"), "checked", "--job.parallelism", "2"));

            assertThatThrownBy(() -> IngestJob.main(words.toArray(String[]::new)))
                    .satisfies(failure -> assertThat(stackTrace(failure))
                            .contains("Job execution failed")
                            .doesNotContain(SECRET));

            Map<String, String> answers = FlinkRest.answers(client.getWebInterfaceURL());
            // Whether of the row or of what came of it: by chance of threads Flink keeps the one or the other.
            assertThat(answers.values()).anyMatch(answer -> answer.contains("stacktrace"));
            assertThat(answers).allSatisfy((path, answer) -> assertThat(answer).doesNotContain(SECRET));
            assertHiddenIn(folder.resolve("cluster"));
        }

        private static String stackTrace(Throwable failure) {
            StringWriter text = new StringWriter();
            failure.printStackTrace(new PrintWriter(text));
            return text.toString();
        }
    }
}
