package io.chunkroll.faults.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.job.cluster.FlinkRest;
import io.chunkroll.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The job jar, submitted to a cluster of processes in every way; one of them dies in mid-load, or the load is stopped and goes on. */
@Tag("cluster")
@Timeout(180)
final class SubmittedLoadsITCase {
    private static final Pattern JOB = Pattern.compile("\\b([0-9a-f]{32})\\b");

    private static StandaloneCluster cluster;

    @TempDir
    Path folder;

    private TestDatabase database;
    private SmallLoad load;

    @BeforeAll
    static void start() {
        cluster = StandaloneCluster.start(
                ClusterOptions.small(SmallLoad.LIB).with("metrics.fetcher.update-interval", "1000"));
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void open() {
        database = TestDatabase.create();
        load = new SmallLoad(database);
        while (cluster.taskManagers().size() < 2) {
            cluster.startTaskManager();
        }
        cluster.awaitTaskManagers(2);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static List<String> words(List<String> first, List<String> more) {
        List<String> words = new ArrayList<>(first);
        words.addAll(more);
        return words;
    }

    private static List<String> submit(String... options) {
        return words(List.of("submit", "--cluster", cluster.rest().address().toString()), List.of(options));
    }

    private static String jobIn(String said) {
        Matcher matcher = JOB.matcher(said);
        assertThat(matcher.find()).as(said).isTrue();
        return matcher.group(1);
    }

    private static void killABusyTaskManager() {
        cluster.killTaskManager(cluster.rest().busyTaskManagers().get(0));
    }

    @Test
    void byFlinksCommandLine() {
        FlinkRest rest = cluster.rest();
        String said = String.join(
                "\n",
                cluster.flink(
                        words(List.of("run", "-d", Launcher.jar().toString()), load.arguments("exactly-once", 2))));
        String job = jobIn(said);
        load.awaitUnderWay();

        killABusyTaskManager();

        SmallLoad.awaitFinished(cluster, job);
        assertThat(rest.restarts(job)).isPositive();
        load.assertEachRowIsThereOnce();
    }

    /** The command sees the cluster lose a machine, follows the job through it, and reports. */
    @Test
    void bySubmit() throws Exception {
        Path run = folder.resolve("run");
        try (Launcher command =
                Launcher.start(folder, words(submit("--run.dir", run.toString()), load.arguments("exactly-once", 2)))) {
            load.awaitUnderWay();

            killABusyTaskManager();

            assertThat(command.waitFor()).as(command.output()).isZero();
            assertThat(command.output()).contains("rows/s (overall)", "Finished: ");
        }
        load.assertEachRowIsThereOnce();
        JsonNode json = json(run);
        assertThat(json.path("rows_in_table").asLong()).isEqualTo(SmallLoad.ROWS);
        assertThat(json.path("rows_written").asLong()).isEqualTo(SmallLoad.ROWS);
        assertThat(json.path("restarts").asLong()).isPositive();
        assertThat(json.path("chunks").asLong()).isPositive();
        assertThat(run.resolve("timeline.csv")).isNotEmptyFile();
        assertThat(run.resolve("report.html")).isNotEmptyFile();
    }

    private static JsonNode json(Path run) throws IOException {
        return new ObjectMapper().readTree(run.resolve("run.json").toFile());
    }

    @Test
    void stoppedWithASavepointAndResumedWithAnotherParallelism() throws Exception {
        String job = jobIn(Launcher.run(folder, words(submit("--detach"), load.arguments("at-least-once", 2))));
        load.awaitUnderWay();

        String saved = cluster.savepoints().resolve(job).toString();
        Launcher.run(folder, submit("--savepoint", saved, "--job", job));

        long before = database.count("SELECT count(*) FROM cpu");
        assertThat(before).isLessThan(SmallLoad.ROWS);
        Path run = folder.resolve("run");
        Launcher.run(
                folder,
                words(submit("--from", saved, "--run.dir", run.toString()), load.arguments("at-least-once", 4)));
        load.assertEachRowIsThereOnce();
        assertThat(json(run).path("rows_written").asLong()).isEqualTo(SmallLoad.ROWS - before);
        assertThat(json(run).path("rows_in_table").asLong()).isEqualTo(SmallLoad.ROWS - before);
    }
}
