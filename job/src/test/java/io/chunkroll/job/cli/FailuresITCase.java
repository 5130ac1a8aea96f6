package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.server.PostgresServer;
import io.chunkroll.server.TestDatabase;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong is told in words: which setting, what to do, the right exit code, and no stack trace on the terminal. */
final class FailuresITCase {
    @TempDir
    Path folder;

    private TestDatabase database;

    @BeforeEach
    void open() {
        database = TestDatabase.create();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Cli run(String... settings) {
        return Cli.run(words(database.url(), folder.resolve("run"), settings));
    }

    private String[] words(String url, Path runDir, String... settings) {
        List<String> words = new ArrayList<>(
                List.of("run", "--sink.url", url, "--sink.user", database.user(), "--run.dir", runDir.toString()));
        if (List.of(settings).stream().noneMatch("csv"::equals)) {
            words.addAll(List.of("--source.rows", "1000", "--source.devices", "10"));
        }
        words.addAll(List.of(settings));
        return words.toArray(String[]::new);
    }

    private static void assertTold(Cli run, int exit, String... parts) {
        assertThat(run.exit()).as(run.all()).isEqualTo(exit);
        assertThat(run.all()).contains(parts).doesNotContain("\tat ", "Caused by");
    }

    @Test
    void aWrongPassword() {
        try (PostgresServer server = PostgresServer.startPrivate(Map.of(), "right")) {
            Cli run = Cli.run(words(server.jdbcUrl(), folder.resolve("run"), "--sink.password", "wrong"));

            assertTold(
                    run,
                    1,
                    "does not accept the password of user " + server.user(),
                    "sink.password",
                    "CHUNKROLL_PASSWORD");
            assertThat(run.all()).doesNotContain("wrong");
            assertThat(Cli.run(words(server.jdbcUrl(), folder.resolve("other"), "--sink.password", "right"))
                            .exit())
                    .isZero();
        }
    }

    @Test
    void aServerThatDoesNotAnswer() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        Cli run = Cli.run(words("jdbc:postgresql://127.0.0.1:" + port + "/nowhere", folder.resolve("run")));

        assertTold(run, 1, "No server answers at jdbc:postgresql://127.0.0.1:" + port, "sink.url");
    }

    @Test
    void aDatabaseThatIsNotThere() {
        String url = database.server().jdbcUrl().replaceAll("/[^/]*$", "/elsewhere");

        assertTold(Cli.run(words(url, folder.resolve("run"))), 1, "no database of that name", "sink.url");
    }

    @Test
    void aMissingTable() throws IOException {
        Path file = Files.writeString(folder.resolve("x.csv"), "a,b\n1,2\n");

        assertTold(run("--sink.create", "never"), 1, "Table cpu (sink.table) does not exist and sink.create is never");
        assertTold(
                Cli.run(words(
                        database.url(),
                        folder.resolve("other"),
                        "--source.kind",
                        "csv",
                        "--source.path",
                        file.toString(),
                        "--sink.table",
                        "nothing")),
                1,
                "Table nothing (sink.table) does not exist",
                "source.dataset");
    }

    @Test
    void columnsThatDoNotFit() throws IOException {
        database.execute("CREATE TABLE cpu (time timestamptz, hostname int, usage_user float8)");
        Path file = Files.writeString(folder.resolve("x.csv"), "time,hostname,usage_usr\n");

        assertTold(
                run(), 1, "does not fit source.dataset cpu", "hostname integer", "usage_guest_nice double precision");
        assertTold(
                Cli.run(words(
                        database.url(),
                        folder.resolve("other"),
                        "--source.kind",
                        "csv",
                        "--source.path",
                        file.toString(),
                        "--sink.table",
                        "cpu")),
                1,
                "usage_usr. ",
                "The table's columns: time, hostname, usage_user",
                file.toString());
    }

    @Test
    void aLayoutThatTheTableDoesNotHave() {
        database.execute("CREATE TABLE cpu (time timestamptz)");

        assertTold(
                run("--sink.layout", "hypertable"),
                1,
                "its layout is plain, but sink.layout is hypertable",
                "recreate");
    }

    @Test
    void aRunFolderThatCannotBeWritten() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertTold(
                Cli.run(words(database.url(), file.resolve("run"))),
                1,
                "run.dir",
                "cannot be written",
                "Not a directory");
        Path full = Files.createDirectory(folder.resolve("full"));
        Files.createFile(full.resolve("something"));
        assertTold(Cli.run(words(database.url(), full)), 1, "is not empty", "run.dir");
    }

    @Test
    void wrongSettingsAreUsage() {
        assertTold(
                run("--sink.layout", "heap", "--nothing", "x"),
                2,
                "sink.layout \"heap\": is none of plain, hypertable, partitioned",
                "nothing: there is no such setting");
        assertTold(Cli.run("fly"), 2, "fly");
        assertTold(Cli.run(), 2, "Name a command");
        assertThat(folder.resolve("run")).doesNotExist();
    }

    @Test
    void aBadRowFailsTheRunAndNamesItsPlace() throws IOException {
        Path file = Files.writeString(folder.resolve("x.csv"), "time,hostname\n2016-01-01,a\nsoon,b\n");
        Cli run = run("--source.kind", "csv", "--source.path", file.toString(), "--source.dataset", "cpu");

        assertTold(run, 1, file.toString(), "27", "time", "soon", "source.on-bad-row reject");
        assertThat(folder.resolve("run/chunkroll.log")).content().contains("\tat ");
        assertThat(folder.resolve("run/run.json")).exists();
        assertThat(folder.resolve("run/report.html")).exists();
    }

    @Test
    void whatTheServerRefusesIsToldInItsWords() {
        assertThat(run().exit()).isZero();
        database.execute("CREATE UNIQUE INDEX ON cpu (hostname, time)");

        assertTold(
                Cli.run(words(database.url(), folder.resolve("again"))),
                1,
                "into table",
                "duplicate key value violates unique constraint");
    }

    @Test
    void aTableWithoutAKeyCannotSkipOrReplace() {
        assertTold(
                run("--sink.on-conflict", "skip"),
                1,
                "sink.on-conflict skip needs a unique index",
                "CREATE UNIQUE INDEX ON",
                "(\"hostname\", \"time\")");
    }

    @Test
    void helpIsThere() {
        for (String command : List.of("demo", "run", "study", "generate", "report", "db", "leftovers")) {
            assertTold(Cli.run(command, "--help"), 0, "Usage: chunkroll " + command);
        }
        assertThat(Cli.run("run", "--help").out()).contains("--sink.batch.rows", "(default: auto)", "--server.NAME");
    }

    /** Flink's own answer to this one is, by chance of threads, that an event was lost or that the task executor shuts down. */
    @ParameterizedTest
    @ValueSource(strings = {"copy", "jdbc"})
    void theReasonOfTheTaskNotWhatFlinkMakesOfIt(String sink) throws IOException {
        database.execute("CREATE TABLE checked (id int, v text CHECK (v <> 'bad'))");
        Path file = Files.writeString(folder.resolve("in.csv"), "id,v\n1,a\n2,bad\n");

        Cli run = run(
                "--source.kind",
                "csv",
                "--source.path",
                file.toString(),
                "--sink.table",
                "checked",
                "--sink.kind",
                sink);

        assertTold(run, 1, "violates check constraint");
        assertThat(run.all()).doesNotContain("TaskNotRunning", "TaskExecutor", "INSERT INTO");
    }

    @Test
    void aRunThatDidNotStartLeavesItsFolderToTheNext() {
        assertTold(run("--sink.table", "nosuch.cpu"), 1, "nosuch.cpu (sink.table)", "create the schema");
        assertThat(run("--sink.table", "cpu").exit()).isZero();
    }

    @Test
    void aFileThatCannotBeWritten() {
        String file = folder.resolve("no").resolve("x.csv").toString();

        assertTold(Cli.run("generate", "--out", file, "--source.rows", "1"), 1, file, "folder does not exist");
    }
}
