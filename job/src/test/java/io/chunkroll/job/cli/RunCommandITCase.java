package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chunkroll.job.report.Timeline;
import io.chunkroll.job.report.TimelinePoint;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole runs by the command line, on a real server, checked against the file that they load. */
final class RunCommandITCase extends LoadScenario {
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

    @BeforeAll
    static void makeFile() throws IOException {
        file = shared.resolve("cpu.csv");
        assertThat(generating(file, "source.rows " + ROWS, "source.devices " + HOSTS)
                        .exit())
                .isZero();
        facts = FileFacts.of(file);
        assertThat(facts.rows()).isEqualTo(ROWS);
        assertThat(facts.distinct()).isEqualTo(ROWS);
    }

    private void assertTableHoldsTheFile() {
        assertThat(database.count("SELECT count(*) FROM cpu")).isEqualTo(facts.rows());
        assertThat(database.count("SELECT count(DISTINCT (time, hostname)) FROM cpu"))
                .isEqualTo(facts.distinct());
        assertThat(new BigDecimal(database.one("SELECT sum(usage_user::numeric) FROM cpu")))
                .isEqualByComparingTo(facts.sumOfUsageUser());
    }

    @ParameterizedTest(name = "{0} into {1} with {2} subtasks")
    @CsvSource({
        "copy,plain,4",
        "copy,hypertable,1",
        "copy,hypertable,4",
        "copy,partitioned,2",
        "jdbc,plain,2",
        "jdbc,hypertable,4",
        "jdbc,partitioned,2",
    })
    void theTableHoldsTheFile(String sink, String layout, int subtasks) throws IOException {
        LoadResult run = run(
                "source.kind csv",
                "source.path " + file,
                "source.dataset cpu",
                "sink.kind " + sink,
                "sink.layout " + layout,
                "sink.chunk-interval 10 min",
                "sink.batch.rows 1000",
                "job.parallelism " + subtasks);

        run.succeeded();
        assertTableHoldsTheFile();
        JsonNode json = run.json();
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
        Timeline timeline = run.timeline();
        assertThat(timeline.points().get(timeline.points().size() - 1).rows()).isEqualTo(ROWS);
        assertThat(timeline.points()).isSortedAccordingTo(Comparator.comparing(TimelinePoint::elapsedSeconds));
        assertThat(run.report()).isNotEmptyFile();
        assertThat(folder.resolve("run/checkpoints")).doesNotExist();
    }

    @Test
    void generatedRowsAreTheFilesRows() {
        LoadResult run = run("source.rows " + ROWS, "source.devices " + HOSTS, "sink.layout hypertable");

        run.succeeded();
        assertTableHoldsTheFile();
    }

    @Test
    void rowsMayGoUnpartitionedAndIntoATableThatIsThere() {
        database.execute("CREATE TABLE cpu (id bigserial, hostname text, time timestamptz NOT NULL, usage_user float8,"
                + " usage_system float8, usage_idle float8, usage_nice float8, usage_iowait float8, usage_irq float8,"
                + " usage_softirq float8, usage_steal float8, usage_guest float8, usage_guest_nice float8, note text)");
        LoadResult run =
                run("source.rows " + ROWS, "source.devices " + HOSTS, "sink.create never", "job.partition-by none");

        run.succeeded();
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
            "source.kind csv",
            "source.path " + file,
            "source.dataset cpu",
            "sink.kind " + sink,
            "sink.on-conflict " + mode,
            "sink.layout " + layout,
            "sink.indexes unique hostname, time desc",
            "sink.chunk-interval 10 min",
            "job.partition-by none"
        };
        LoadResult first = run(settings);
        first.succeeded();
        assertTableHoldsTheFile();
        LoadResult second = runInto("again", settings);

        second.succeeded();
        assertTableHoldsTheFile();
        JsonNode json = second.json();
        assertThat(json.path("rows_written").asLong()).isEqualTo(ROWS);
        assertThat(json.path("rows_in_table").asLong()).isZero();
        if (fate == null) {
            assertThat(json.path("rows_inserted").isNull()).isTrue();
        } else {
            assertThat(first.json().path("rows_inserted").asLong()).isEqualTo(ROWS);
            assertThat(json.path("rows_inserted").asLong()).isZero();
            assertThat(json.path("rows_" + fate).asLong()).isEqualTo(ROWS);
            assertThat(second.said()).contains("60,000 written (0 inserted, 60,000 " + fate + ")");
            assertThat(second.report()).content().contains("0 inserted, 60,000 " + fate);
        }
    }

    @Test
    void badRowsAreSetAsideAndTheExitCodeSaysSo() throws IOException {
        Path mixed = write("mixed.csv", """
                time,hostname,usage_user
                2016-01-01 00:00:00+00,a,1.5
                2016-01-01 00:00:10+00,b,much
                yesterday or so,c,2
                2016-01-01 00:00:30+00,d,3
                """);
        LoadResult run =
                run("source.kind csv", "source.path " + mixed, "source.dataset cpu", "source.on-bad-row reject");

        run.ended(3);
        assertThat(database.count("SELECT count(*) FROM cpu")).isEqualTo(2);
        assertThat(run.json().path("rows_rejected").asLong()).isEqualTo(2);
        assertThat(run.json().path("rows_read").asLong()).isEqualTo(4);
        List<JsonNode> rejects = run.rejects();
        assertThat(rejects).hasSize(2);
        assertThat(rejects.get(0).path("row").asText()).isEqualTo("2016-01-01 00:00:10+00,b,much");
        assertThat(rejects.get(0).path("column").asText()).isEqualTo("usage_user");
        assertThat(rejects.get(0).path("line").asLong()).isEqualTo(3);
        assertThat(rejects.get(0).path("offset").asLong()).isEqualTo(54);
        assertThat(rejects.get(1).path("reason").asText()).contains("yesterday or so");
    }

    @Test
    void rowsAreNotPartitionedByAColumnThatFilesDoNotFill() throws IOException {
        Path times = write("times.csv", "time,usage_user\n2016-01-01 00:00:00+00,1.5\n");
        LoadResult run =
                run("source.kind csv", "source.path " + times, "source.dataset cpu", "job.partition-by hostname");

        run.ended(1);
        assertThat(run.said()).contains("job.partition-by is hostname", "time timestamp with time zone, usage_user");
    }

    @Test
    void tooManyBadRowsFailTheRun() throws IOException {
        Path bad = write("bad.csv", "x,a,1\ny,b,2\nz,c,3\n");
        LoadResult run = run(
                "source.kind csv",
                "source.path " + bad,
                "source.csv.columns time,hostname,usage_user",
                "source.dataset cpu",
                "source.on-bad-row reject",
                "source.max-bad-rows 2");

        run.ended(1);
        assertThat(run.said()).contains("More than 2 rows were rejected (source.max-bad-rows)");
        assertThat(run.json().path("outcome").asText()).isEqualTo("failed");
        // Also those that no checkpoint had committed; the one too many is told of in the message.
        assertThat(run.rejects()).hasSize(2);
    }

    @Test
    void severalRunsMakeOneReport() throws IOException {
        run("source.rows 5000", "source.devices 10").succeeded();
        JsonNode discarded = runInto("second", "sink.kind discard", "source.rows 5000")
                .succeeded()
                .json();
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
