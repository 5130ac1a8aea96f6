package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code submit} against a cluster: what it sends, what it sees, and what it writes. */
@Timeout(150)
final class SubmitITCase extends SubmitScenario {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern SAVEPOINT = Pattern.compile("Savepoint: (\\S+)");
    private static final Pattern JOB = Pattern.compile("Job ([0-9a-f]{32}) ");

    @TempDir
    private static Path savepoints;

    @RegisterExtension
    private static final MiniClusterExtension CLUSTER = new MiniClusterExtension(SubmitITCase::cluster);

    private static MiniClusterResourceConfiguration cluster() {
        return new MiniClusterResourceConfiguration.Builder()
                .setConfiguration(new Configuration()
                        .set(MetricOptions.METRIC_FETCHER_UPDATE_INTERVAL, Duration.ofMillis(200))
                        .set(
                                CheckpointingOptions.SAVEPOINT_DIRECTORY,
                                savepoints.toUri().toString())
                        .set(RestartStrategyOptions.RESTART_STRATEGY, "none"))
                .setNumberTaskManagers(1)
                .setNumberSlotsPerTaskManager(2)
                .build();
    }

    private JsonNode json(String run) throws IOException {
        return JSON.readTree(folder.resolve(run).resolve("run.json").toFile());
    }

    private boolean hasRows() throws Exception {
        return "t".equals(database.one("SELECT to_regclass('cpu') IS NOT NULL"))
                && database.count("SELECT count(*) FROM cpu") > 0;
    }

    /** One folder of each: whatever a run on this machine measures, a submission measures or says why it does not. */
    @ParameterizedTest
    @CsvSource({"at-least-once, copy", "exactly-once, copy", "at-least-once, jdbc"})
    void theRunFolderIsThatOfARun(String guarantee, String sink) throws Exception {
        String[] load = {
            "--source.rows", "40000",
            "--source.devices", "100",
            "--source.rate", "20000",
            "--sink.layout", "hypertable",
            "--sink.chunk-interval", "30 min",
            "--sink.kind", sink,
            "--sink.guarantee", guarantee,
            "--sink.batch.rows", "2000",
            "--job.parallelism", "2",
            "--job.checkpoint-interval", "2 s"
        };
        List<String> local = new ArrayList<>(
                List.of("run", "--sink.url", database.url(), "--sink.user", database.user(), "--sink.table", "local"));
        local.addAll(List.of("--run.dir", folder.resolve("local").toString()));
        local.addAll(List.of(load));
        try (CommandProcess here = CommandProcess.start(folder, Map.of(), local)) {
            assertThat(here.waitFor()).as(here.output()).isZero();
        }

        Cli there = submit(Stream.concat(
                        Stream.of(load),
                        Stream.of("--run.dir", folder.resolve("there").toString()))
                .toArray(String[]::new));

        assertThat(there.exit()).as(there.all()).isZero();
        assertThat(there.out()).contains("40,000 written", "rows/s (overall)", "100 %");
        assertThat(database.count("SELECT count(*) FROM cpu")).isEqualTo(40_000);
        assertThat(database.one("SELECT sum(usage_user::numeric) FROM cpu"))
                .isEqualTo(database.one("SELECT sum(usage_user::numeric) FROM local"));
        JsonNode run = json("there");
        assertThat(run.path("rows_read").asLong()).isEqualTo(40_000);
        assertThat(run.path("rows_written").asLong()).isEqualTo(40_000);
        assertThat(run.path("rows_in_table").asLong()).isEqualTo(40_000);
        // What tasks counted after the cluster's last look at them is never shown: then these are null, and it says
        // why.
        for (String figure : List.of("/flushes", "/flush_ms/p99", "/bytes_written")) {
            String reason = run.path("not_measured")
                    .path(figure.substring(1).replace('/', '.'))
                    .asText();
            assertThat(run.at(figure).asDouble() > 0 || reason.contains("metrics.fetcher.update-interval"))
                    .as(figure + " in " + run.toPrettyString())
                    .isTrue();
        }
        assertThat(run.path("seconds").asDouble()).isPositive();
        assertThat(run.path("chunks").asLong()).isGreaterThan(1);
        assertThat(run.path("chunk_rolls").size()).isGreaterThan(1);
        assertThat(run.path("wal_bytes").asLong()).isPositive();
        assertThat(run.at("/environment/cluster").asText()).startsWith("http://");
        assertThat(run.at("/not_measured/client_cpu_seconds").asText()).contains("cluster");
        assertThat(names(run)).containsExactlyInAnyOrderElementsOf(names(json("local")));
        List<String> timeline = Files.readAllLines(folder.resolve("there/timeline.csv"));
        assertThat(timeline.get(0))
                .isEqualTo(
                        Files.readAllLines(folder.resolve("local/timeline.csv")).get(0));
        assertThat(timeline.size()).isGreaterThan(3);
        assertThat(timeline.get(timeline.size() - 1).split(",", -1)[3]).isEqualTo("40000");
        assertThat(folder.resolve("there/report.html")).isNotEmptyFile();
        assertThat(Cli.run(
                                "report",
                                "--out",
                                folder.resolve("both.html").toString(),
                                folder.resolve("local").toString(),
                                folder.resolve("there").toString())
                        .exit())
                .isZero();
    }

    private static List<String> names(JsonNode run) {
        List<String> names = new ArrayList<>();
        run.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** Into a table that takes positive values only. */
    private Cli submitReadings(String rows, String... more) throws IOException {
        database.execute("CREATE TABLE readings (id int, value real CHECK (value > 0))");
        String[] load = {
            "--sink.table",
            "readings",
            "--source.kind",
            "csv",
            "--source.path",
            Files.writeString(folder.resolve("rows.csv"), rows).toString(),
            "--run.dir",
            folder.resolve("run").toString()
        };
        return submit(concat(load, more));
    }

    @Test
    void rowsThatAreRejectedAreThree() throws Exception {
        Cli there = submitReadings(
                "1,1\n2,-1\n3,x\n4,1\n",
                "--source.on-bad-row",
                "reject",
                "--run.rejects-dir",
                folder.resolve("rejects").toString(),
                "--job.checkpoint-interval",
                "2 s");

        assertThat(there.exit()).as(there.all()).isEqualTo(3);
        assertThat(there.out()).contains(" 2 written, 2 rejected", "job.parallelism is 2");
        assertThat(json("run").path("rows_rejected").asLong()).isEqualTo(2);
        assertThat(json("run").path("rows_in_table").asLong()).isEqualTo(2);
    }

    @Test
    void aJobThatFailsSaysWhy() throws Exception {
        Cli there = submitReadings("1,1\n2,-1\n");

        assertThat(there.exit()).as(there.all()).isEqualTo(1);
        assertThat(there.out()).contains("violates check constraint").contains("Failed: ");
        assertThat(json("run").path("outcome").asText()).isEqualTo("failed");
        assertThat(json("run").path("failure").asText()).contains("violates check constraint");
        assertThat(database.count("SELECT count(*) FROM readings")).isZero();
    }

    /** Detached, stopped with a savepoint, gone on from it with another parallelism: each row is there once. */
    @ParameterizedTest
    @CsvSource({"at-least-once", "exactly-once"})
    void aLoadGoesOnFromItsSavepoint(String guarantee) throws Exception {
        String[] load = {
            "--source.rows", "60000",
            "--source.devices", "100",
            "--source.rate", "10000",
            "--sink.guarantee", guarantee,
            "--job.checkpoint-interval", "1 s"
        };
        Cli detached = submit(concat(load, "--detach", "--job.parallelism", "2"));
        assertThat(detached.exit()).as(detached.all()).isZero();
        String job = find(JOB, detached.out());
        await().atMost(Duration.ofMinutes(1)).until(this::hasRows);

        Cli stopped = stop(folder.resolve("saved"), "--job", job);

        assertThat(stopped.exit()).as(stopped.all()).isZero();
        long before = database.count("SELECT count(*) FROM cpu");
        assertThat(before).isBetween(1L, 59_999L);
        Cli resumed = submit(concat(
                load,
                "--from",
                folder.resolve("saved").toString(),
                "--job.parallelism",
                "1",
                "--run.dir",
                folder.resolve("run").toString()));
        assertThat(resumed.exit()).as(resumed.all()).isZero();
        assertThat(database.count("SELECT count(*) FROM cpu")).isEqualTo(60_000);
        assertThat(database.count("SELECT count(DISTINCT (time, hostname)) FROM cpu"))
                .isEqualTo(60_000);
        assertThat(json("run").path("rows_before").asLong()).isEqualTo(before);
        assertThat(json("run").path("rows_written").asLong())
                .as(json("run").toPrettyString())
                .isEqualTo(60_000 - before);
        assertThat(json("run").at("/environment/from").asText())
                .isEqualTo(find(SAVEPOINT, stopped.out()).replaceFirst("^file:", ""));
    }

    private static String[] concat(String[] first, String... more) {
        return Stream.concat(Stream.of(first), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void controlCStopsTheJobWithASavepoint() throws Exception {
        Path run = folder.resolve("run");
        List<String> words = words(
                "--source.rows",
                "0",
                "--source.devices",
                "100",
                "--source.rate",
                "20000",
                "--run.dir",
                run.toString(),
                "--sink.batch.age",
                "1 h",
                "--job.checkpoint-interval",
                "3 s");
        try (CommandProcess command = CommandProcess.start(folder, Map.of(), List.of("-Dchunkroll.home=.."), words)) {
            await().atMost(Duration.ofMinutes(1)).until(this::hasRows);

            command.signal("INT");

            assertThat(command.waitFor()).as(command.output()).isEqualTo(130);
            long rows = database.count("SELECT count(*) FROM cpu");
            assertThat(command.output()).contains("Ctrl-C again leaves it");
            assertThat(find(SAVEPOINT, command.output())).startsWith("file:");
            assertThat(json("run").path("outcome").asText()).isEqualTo("stopped");
            assertThat(json("run").path("rows_in_table").asLong()).isEqualTo(rows);
            assertThat(json("run").path("rows_written").asLong())
                    .as(json("run").toPrettyString())
                    .isEqualTo(rows);
            assertThat(run.resolve("report.html")).isNotEmptyFile();
        }
    }

    @Test
    void theServerNeedNotBeReachedFromHere() throws Exception {
        Cli there = Cli.run(
                "submit",
                "--cluster",
                address,
                "--sink.kind",
                "discard",
                "--source.rows",
                "1000",
                "--run.dir",
                folder.resolve("run").toString(),
                "--job.checkpoint-interval",
                "2 s");
        assertThat(there.exit()).as(there.all()).isZero();
        assertThat(json("run").path("rows_written").asLong()).isEqualTo(1000);
        assertThat(json("run").path("rows_in_table").isNull()).isTrue();
    }

    @Test
    void settingsThatAreWrongAreToldBeforeAnythingIsSent() {
        Cli there = Cli.run(
                "submit",
                "--cluster",
                "localhost:8081",
                "--job",
                "1",
                "--sink.url",
                "jdbc:postgresql://h/d?password=hunter2",
                "--sink.load",
                "bulk",
                "--source.kind",
                "csv",
                "--source.path",
                "data",
                "--sink.create",
                "recreate",
                "--no.such",
                "1");

        assertThat(there.exit()).as(there.all()).isEqualTo(2);
        assertThat(there.err())
                .contains(
                        "--cluster \"localhost:8081\"",
                        "--job",
                        "sink.url: a password",
                        "sink.load: bulk must",
                        "source.path \"data\"",
                        "sink.create: recreate is refused",
                        "no.such")
                .doesNotContain("hunter2");
        assertThat(Cli.run("submit", "--cluster", "http://localhost:1").err()).contains("sink.url: is needed");
        assertThat(Cli.run("submit").err()).contains("--cluster: is needed");
        assertThat(Cli.run("submit", "--cluster", "http://localhost:1", "--savepoint", "here", "--detach")
                        .err())
                .contains("neither an absolute path nor a URI", "belong to a new one");
    }

    @Test
    void aClusterThatIsNotThere() {
        Cli there = Cli.run("submit", "--cluster", "http://localhost:1", "--sink.kind", "discard");

        assertThat(there.exit()).isEqualTo(1);
        assertThat(there.err()).contains("No Flink cluster answers at http://localhost:1/");
        assertThat(stop(folder).err()).contains("No job of chunkroll is running");
    }
}
