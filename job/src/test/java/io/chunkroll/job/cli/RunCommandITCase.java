package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.job.report.Timeline;
import io.chunkroll.job.report.TimelinePoint;
import io.chunkroll.server.TestDatabase;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole runs by the command line, on a real server, checked against the file that they load. */
final class RunCommandITCase {
    private static final int ROWS = 60_000;
    private static final int HOSTS = 300;

    @TempDir
    static Path shared;

    private static Path file;
    private static FileFacts facts;

    /** What a file holds, found by reading it line by line. */
    private record FileFacts(long rows, long distinct, BigDecimal sumOfUsageUser) {
        static FileFacts of(Path file) throws IOException {
            Set<String> keys = new HashSet<>();
            BigDecimal sum = BigDecimal.ZERO;
            List<String> lines = Files.readAllLines(file);
            for (String line : lines) {
                String[] fields = line.split(",", -1);
                keys.add(fields[0] + ',' + fields[1]);
                sum = sum.add(new BigDecimal(fields[2]));
            }
            return new FileFacts(lines.size(), keys.size(), sum);
        }
    }

    @TempDir
    Path folder;

    private TestDatabase database;

    @BeforeAll
    static void generate() throws IOException {
        file = shared.resolve("cpu.csv");
        Cli generated = Cli.run(
                "generate", "--out", file.toString(), "--source.rows", "" + ROWS, "--source.devices", "" + HOSTS);
        assertThat(generated.exit()).as(generated.all()).isZero();
        facts = FileFacts.of(file);
        assertThat(facts.rows()).isEqualTo(ROWS);
        assertThat(facts.distinct()).isEqualTo(ROWS);
    }

    @BeforeEach
    void open() {
        database = TestDatabase.create();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Cli run(String... settings) {
        return runInto("run", settings);
    }

    private Cli runInto(String name, String... settings) {
        List<String> words = new ArrayList<>(List.of(
                "run",
                "--sink.url",
                database.url(),
                "--sink.user",
                database.user(),
                "--run.dir",
                folder.resolve(name).toString()));
        words.addAll(List.of(settings));
        return Cli.run(words.toArray(String[]::new));
    }

    private void assertTableHoldsTheFile() {
        assertThat(database.count("SELECT count(*) FROM cpu")).isEqualTo(facts.rows());
        assertThat(database.count("SELECT count(DISTINCT (time, hostname)) FROM cpu"))
                .isEqualTo(facts.distinct());
        assertThat(new BigDecimal(database.one("SELECT sum(usage_user::numeric) FROM cpu")))
                .isEqualByComparingTo(facts.sumOfUsageUser());
    }

    private JsonNode runJson() throws IOException {
        return runJson("run");
    }

    private JsonNode runJson(String run) throws IOException {
        return new ObjectMapper()
                .readTree(folder.resolve(run).resolve("run.json").toFile());
    }

    @ParameterizedTest(name = "{0} into {1} with {2} subtasks")
    @CsvSource({
        "copy,plain,1",
        "copy,plain,4",
        "copy,hypertable,1",
        "copy,hypertable,2",
        "copy,hypertable,4",
        "copy,partitioned,2",
        "jdbc,plain,2",
        "jdbc,hypertable,1",
        "jdbc,hypertable,4",
        "jdbc,partitioned,2",
    })
    void theTableHoldsTheFile(String sink, String layout, int subtasks) throws IOException {
        Cli run = run(
                "--source.kind",
                "csv",
                "--source.path",
                file.toString(),
                "--source.dataset",
                "cpu",
                "--sink.kind",
                sink,
                "--sink.layout",
                layout,
                "--sink.chunk-interval",
                "10 min",
                "--sink.batch.rows",
                "1000",
                "--job.parallelism",
                "" + subtasks);

        assertThat(run.exit()).as(run.all()).isZero();
        assertTableHoldsTheFile();
        JsonNode json = runJson();
        assertThat(json.path("rows_read").asLong()).isEqualTo(ROWS);
        assertThat(json.path("rows_written").asLong()).isEqualTo(ROWS);
        assertThat(json.path("rows_in_table").asLong()).isEqualTo(ROWS);
        assertThat(json.path("rows_inserted").isNull()).isTrue();
        assertThat(json.path("outcome").asText()).isEqualTo("finished");
        assertThat(json.path("flushes").asLong()).isGreaterThanOrEqualTo(ROWS / 1000);
        assertThat(json.path("chunks").isNull()).isEqualTo(layout.equals("plain"));
        assertThat(json.path("retries").isNull()).isEqualTo(sink.equals("jdbc"));
        assertThat(json.path("table").path("layout").asText()).isEqualTo(layout);
        assertThat(json.path("table").path("indexes")).hasSize(2);
        if (layout.equals("hypertable")) {
            assertThat(json.path("table").path("chunk_interval").path(0).asText())
                    .isEqualTo("00:10:00");
        }
        if (!layout.equals("plain")) {
            // 60,000 rows of 300 hosts are 200 steps of 10 s: 2,000 s, in chunks of 600 s.
            assertThat(json.path("chunks").asLong()).isEqualTo(4);
            assertThat(json.path("chunk_rolls").size()).isEqualTo(4);
        }
        Timeline timeline = Timeline.read(folder.resolve("run"));
        assertThat(timeline.points().get(timeline.points().size() - 1).rows()).isEqualTo(ROWS);
        assertThat(timeline.points()).isSortedAccordingTo(Comparator.comparing(TimelinePoint::elapsedSeconds));
        assertThat(folder.resolve("run/report.html")).isNotEmptyFile();
        assertThat(folder.resolve("run/checkpoints")).doesNotExist();
    }

    @Test
    void generatedRowsAreTheFilesRows() {
        Cli run = run("--source.rows", "" + ROWS, "--source.devices", "" + HOSTS, "--sink.layout", "hypertable");

        assertThat(run.exit()).as(run.all()).isZero();
        assertTableHoldsTheFile();
    }

    @Test
    void rowsMayGoUnpartitionedAndIntoATableThatIsThere() {
        database.execute("CREATE TABLE cpu (id bigserial, hostname text, time timestamptz NOT NULL, usage_user float8,"
                + " usage_system float8, usage_idle float8, usage_nice float8, usage_iowait float8, usage_irq float8,"
                + " usage_softirq float8, usage_steal float8, usage_guest float8, usage_guest_nice float8, note text)");
        Cli run = run(
                "--source.rows",
                "" + ROWS,
                "--source.devices",
                "" + HOSTS,
                "--sink.create",
                "never",
                "--job.partition-by",
                "none");

        assertThat(run.exit()).as(run.all()).isZero();
        assertTableHoldsTheFile();
        assertThat(database.count("SELECT count(id) FROM cpu WHERE note IS NULL"))
                .isEqualTo(ROWS);
    }

    @ParameterizedTest(name = "{0}, {1} into {2}")
    @CsvSource({
        "copy,skip,plain,skipped",
        "copy,skip,hypertable,skipped",
        "copy,replace,hypertable,replaced",
        "copy,replace,partitioned,replaced",
        "jdbc,skip,partitioned,",
        "jdbc,replace,plain,",
    })
    void theSameFileTwiceLeavesEachRowOnce(String sink, String mode, String layout, String fate) throws IOException {
        String[] settings = {
            "--source.kind",
            "csv",
            "--source.path",
            file.toString(),
            "--source.dataset",
            "cpu",
            "--sink.kind",
            sink,
            "--sink.on-conflict",
            mode,
            "--sink.layout",
            layout,
            "--sink.indexes",
            "unique hostname, time desc",
            "--sink.chunk-interval",
            "10 min",
            "--job.partition-by",
            "none"
        };
        Cli first = run(settings);
        assertThat(first.exit()).as(first.all()).isZero();
        assertTableHoldsTheFile();
        Cli second = runInto("again", settings);

        assertThat(second.exit()).as(second.all()).isZero();
        assertTableHoldsTheFile();
        JsonNode json = runJson("again");
        assertThat(json.path("rows_written").asLong()).isEqualTo(ROWS);
        assertThat(json.path("rows_in_table").asLong()).isZero();
        if (fate == null) {
            assertThat(json.path("rows_inserted").isNull()).isTrue();
        } else {
            assertThat(runJson().path("rows_inserted").asLong()).isEqualTo(ROWS);
            assertThat(json.path("rows_inserted").asLong()).isZero();
            assertThat(json.path("rows_" + fate).asLong()).isEqualTo(ROWS);
            assertThat(second.all()).contains("60,000 written (0 inserted, 60,000 " + fate + ")");
            assertThat(folder.resolve("again/report.html")).content().contains("0 inserted, 60,000 " + fate);
        }
    }

    @Test
    void badRowsAreSetAsideAndTheExitCodeSaysSo() throws IOException {
        Path mixed = Files.writeString(folder.resolve("mixed.csv"), """
                time,hostname,usage_user
                2016-01-01 00:00:00+00,a,1.5
                2016-01-01 00:00:10+00,b,much
                yesterday or so,c,2
                2016-01-01 00:00:30+00,d,3
                """);
        Cli run = run(
                "--source.kind", "csv",
                "--source.path", mixed.toString(),
                "--source.dataset", "cpu",
                "--source.on-bad-row", "reject");

        assertThat(run.exit()).as(run.all()).isEqualTo(3);
        assertThat(database.count("SELECT count(*) FROM cpu")).isEqualTo(2);
        assertThat(runJson().path("rows_rejected").asLong()).isEqualTo(2);
        assertThat(runJson().path("rows_read").asLong()).isEqualTo(4);
        List<JsonNode> rejects = rejects();
        assertThat(rejects).hasSize(2);
        assertThat(rejects.get(0).path("row").asText()).isEqualTo("2016-01-01 00:00:10+00,b,much");
        assertThat(rejects.get(0).path("column").asText()).isEqualTo("usage_user");
        assertThat(rejects.get(0).path("line").asLong()).isEqualTo(3);
        assertThat(rejects.get(0).path("offset").asLong()).isEqualTo(54);
        assertThat(rejects.get(1).path("reason").asText()).contains("yesterday or so");
    }

    private List<JsonNode> rejects() throws IOException {
        List<JsonNode> rejects = new ArrayList<>();
        try (var files = Files.list(folder.resolve("run/rejects"))) {
            for (Path part : files.sorted().toList()) {
                for (String line : Files.readAllLines(part)) {
                    rejects.add(new ObjectMapper().readTree(line));
                }
            }
        }
        return rejects;
    }

    @Test
    void rowsAreNotPartitionedByAColumnThatFilesDoNotFill() throws IOException {
        Path times = Files.writeString(folder.resolve("times.csv"), "time,usage_user\n2016-01-01 00:00:00+00,1.5\n");
        Cli run = run(
                "--source.kind", "csv",
                "--source.path", times.toString(),
                "--source.dataset", "cpu",
                "--job.partition-by", "hostname");

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.all()).contains("job.partition-by is hostname", "time timestamp with time zone, usage_user");
    }

    @Test
    void tooManyBadRowsFailTheRun() throws IOException {
        Path bad = Files.writeString(folder.resolve("bad.csv"), "x,a,1\ny,b,2\nz,c,3\n");
        Cli run = run(
                "--source.kind", "csv",
                "--source.path", bad.toString(),
                "--source.csv.columns", "time,hostname,usage_user",
                "--source.dataset", "cpu",
                "--source.on-bad-row", "reject",
                "--source.max-bad-rows", "2");

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.all()).contains("More than 2 rows were rejected (source.max-bad-rows)");
        assertThat(runJson().path("outcome").asText()).isEqualTo("failed");
        // Also those that no checkpoint had committed; the one too many is told of in the message.
        assertThat(rejects()).hasSize(2);
    }

    @Test
    void severalRunsMakeOneReport() throws IOException {
        assertThat(run("--source.rows", "5000", "--source.devices", "10").exit())
                .isZero();
        Cli second = Cli.run(
                "run",
                "--sink.kind",
                "discard",
                "--source.rows",
                "5000",
                "--run.dir",
                folder.resolve("second").toString());
        assertThat(second.exit()).as(second.all()).isZero();
        JsonNode discarded =
                new ObjectMapper().readTree(folder.resolve("second/run.json").toFile());
        assertThat(discarded.path("rows_written").asLong()).isEqualTo(5000);
        assertThat(discarded.path("flush_ms").path("p50").isNull()).isTrue();

        Path page = folder.resolve("both.html");
        Cli report = Cli.run(
                "report",
                folder.resolve("run").toString(),
                folder.resolve("second").toString(),
                "--out",
                page.toString());

        assertThat(report.exit()).as(report.all()).isZero();
        assertThat(page).content().contains("cpu-plain", "discard");
    }
}
