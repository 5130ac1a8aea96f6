package io.chunkroll.faults.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.chunkroll.job.cluster.FlinkRest;
import io.chunkroll.server.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The job jar on a cluster as users have it, one of whose processes dies. */
@Timeout(180)
class StandaloneClusterITCase {
    private static final long ROWS = 60_000;

    @Test
    void aLoadOutlivesATaskManager() throws Exception {
        try (TestDatabase database = TestDatabase.create();
                StandaloneCluster cluster =
                        StandaloneCluster.start(ClusterOptions.small(Path.of("target", "flink-lib")))) {
            FlinkRest rest = cluster.rest();
            String jar = rest.upload(Path.of("..", "job", "target", "chunkroll-job.jar"));
            String job = rest.run(jar, arguments(database), Optional.empty());
            await().atMost(Duration.ofSeconds(60)).until(() -> committed(database) > 0 && isCheckpointed(rest, job));

            cluster.killTaskManager(rest.busyTaskManagers().get(0));

            await().atMost(Duration.ofSeconds(90)).until(() -> rest.job(job).isOver());
            assertThat(rest.job(job).isFinished())
                    .as(() -> rest.exceptions(job) + cluster.lastWords())
                    .isTrue();
            assertThat(rest.exceptions(job)).as("what it was restarted for").isNotEmpty();
            assertThat(database.count("SELECT count(*) FROM cpu")).isEqualTo(ROWS);
            assertThat(database.count("SELECT count(DISTINCT (time, hostname)) FROM cpu"))
                    .isEqualTo(ROWS);
            assertThat(database.count("SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database()"))
                    .isZero();
            assertThat(database.count(
                            "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'chunkroll %'"))
                    .isZero();
        }
    }

    private static List<String> arguments(TestDatabase database) {
        return List.of(
                "--sink.url",
                database.url(),
                "--sink.user",
                database.user(),
                "--sink.layout",
                "hypertable",
                "--source.rows",
                String.valueOf(ROWS),
                "--source.devices",
                "100",
                "--source.rate",
                "6000",
                "--sink.guarantee",
                "exactly-once",
                "--sink.transaction-prefix",
                "cluster-test",
                "--job.parallelism",
                "2",
                "--job.checkpoint-interval",
                "1 s");
    }

    private static long committed(TestDatabase database) throws Exception {
        return "t".equals(database.one("SELECT to_regclass('cpu') IS NOT NULL"))
                ? database.count("SELECT count(*) FROM cpu")
                : 0;
    }

    private static boolean isCheckpointed(FlinkRest rest, String job) {
        return rest.latestCheckpoint(job).isPresent();
    }
}
