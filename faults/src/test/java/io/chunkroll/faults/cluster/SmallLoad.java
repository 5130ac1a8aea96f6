package io.chunkroll.faults.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.chunkroll.job.cluster.ClusterException;
import io.chunkroll.job.cluster.FlinkRest;
import io.chunkroll.server.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.core.ConditionFactory;

/** A generated fleet on its way into a database, at a pace at which something can happen to it. */
record SmallLoad(TestDatabase database) {
    static final long ROWS = 60_000;
    static final Path LIB = Path.of("target", "flink-lib");

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    List<String> arguments(String guarantee, int parallelism) {
        return arguments(guarantee, parallelism, 5000);
    }

    List<String> arguments(String guarantee, int parallelism, int rowsPerSecond) {
        return List.of(
                "--sink.url",
                database.url(),
                "--sink.user",
                database.user(),
                "--sink.layout",
                "hypertable",
                "--sink.chunk-interval",
                "30 min",
                "--source.rows",
                String.valueOf(ROWS),
                "--source.devices",
                "100",
                "--source.rate",
                String.valueOf(rowsPerSecond),
                "--sink.guarantee",
                guarantee,
                "--job.parallelism",
                String.valueOf(parallelism),
                "--job.checkpoint-interval",
                "1 s");
    }

    /** Submits it by REST and returns the job's id. */
    static String submit(FlinkRest rest, List<String> arguments) {
        return rest.run(rest.upload(Launcher.jar()), arguments, Optional.empty());
    }

    long rows() {
        return "t".equals(database.one("SELECT to_regclass('cpu') IS NOT NULL"))
                ? database.count("SELECT count(*) FROM cpu")
                : 0;
    }

    void awaitUnderWay() {
        waiting().until(() -> rows() > ROWS / 10);
    }

    /** The same, and a job of a cluster has a checkpoint to go back to. */
    void awaitUnderWay(FlinkRest rest, String job) {
        waiting().until(() -> rows() > ROWS / 10 && rest.latestCheckpoint(job).isPresent());
    }

    /** Waits with the patience of these tests; a cluster that does not answer for a while is asked again. */
    static ConditionFactory waiting() {
        return await().atMost(PATIENCE).ignoreExceptionsInstanceOf(ClusterException.class);
    }

    static void awaitFinished(StandaloneCluster cluster, String job) {
        FlinkRest rest = cluster.rest();
        waiting().until(() -> rest.job(job).isOver());
        assertThat(rest.job(job).isFinished())
                .as(() -> rest.exceptions(job) + cluster.lastWords())
                .isTrue();
    }

    void assertNoRowIsMissing() {
        assertThat(database.count("SELECT count(DISTINCT (time, hostname)) FROM cpu"))
                .isEqualTo(ROWS);
    }

    void assertEachRowIsThereOnce() {
        assertThat(rows()).isEqualTo(ROWS);
        assertNoRowIsMissing();
        assertThat(database.count("SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database()"))
                .isZero();
    }
}
