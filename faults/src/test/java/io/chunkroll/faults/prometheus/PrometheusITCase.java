package io.chunkroll.faults.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.chunkroll.faults.cluster.ClusterOptions;
import io.chunkroll.faults.cluster.StandaloneCluster;
import io.chunkroll.server.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus scrapes a cluster of processes during a load: rules, alerts and dashboard find what they name, and each alert fires
 * when it should and clears when its cause is gone. Run by {@code mvn verify -Pprometheus}.
 */
@Tag("prometheus")
@Timeout(600)
class PrometheusITCase {
    private static final Path K8S = Path.of("..", "k8s");
    private static final Duration SOON = Duration.ofMinutes(2);
    /** The JobManager, the TaskManager, and ports that somebody else may have taken meanwhile. */
    private static final int PORTS = 6;

    private static final String RATE_INTERVAL = "10s";
    /** Seconds for minutes: a load that is scraped every second and has a checkpoint a second. */
    private static final Map<String, String> SHORTENED = Map.of(
            "[1m]", "[4s]",
            "[5m]", "[10s]",
            "interval: 15s", "interval: 1s",
            "for: 2m", "for: 2s",
            "for: 1m", "for: 1s",
            "> 300", "> 6");

    private static final List<String> STALLED =
            List.of("ChunkrollNoCommits", "ChunkrollCheckpointOld", "ChunkrollChunkRollStall");

    @TempDir
    Path folder;

    private TestDatabase database;
    private PrometheusServer prometheus;

    @Test
    void everyQueryFindsDataAndEveryAlertFiresAndClears() throws Exception {
        int first = firstOfFreePorts();
        ClusterOptions options = ClusterOptions.session(Path.of("target", "flink-lib"), 1, 4)
                .with("metrics.reporters", "prom")
                .with(
                        "metrics.reporter.prom.factory.class",
                        "org.apache.flink.metrics.prometheus.PrometheusReporterFactory")
                .with("metrics.reporter.prom.port", (first + 1) + "-" + (first + PORTS));
        try (TestDatabase made = TestDatabase.create();
                StandaloneCluster cluster = StandaloneCluster.start(options);
                PrometheusServer server = PrometheusServer.start(
                        folder, shortenedRules(), first, IntStream.rangeClosed(first + 1, first + PORTS))) {
            database = made;
            prometheus = server;
            makeTable();
            String jar = cluster.rest().upload(Path.of("..", "job", "target", "chunkroll-job.jar"));
            String job = cluster.rest().run(jar, arguments(), Optional.empty());

            everythingHasData();
            clears();
            aChunkThatSomebodyElseMakes();
            connectionsThatAreLost();
            rowsThatTheServerRefuses();

            cluster.rest().cancel(job);
        }
    }

    private static int firstOfFreePorts() {
        for (int attempt = 0; attempt < 100; attempt++) {
            int first = ThreadLocalRandom.current().nextInt(20_000, 32_000 - PORTS);
            if (IntStream.rangeClosed(first, first + PORTS).allMatch(PrometheusITCase::isFree)) {
                return first;
            }
        }
        throw new IllegalStateException("no free ports");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static String shortenedRules() throws IOException {
        String rules = Files.readString(K8S.resolve("prometheus/rules.yaml"));
        for (Map.Entry<String, String> shorter : SHORTENED.entrySet()) {
            assertThat(rules).contains(shorter.getKey());
            rules = rules.replace(shorter.getKey(), shorter.getValue());
        }
        return rules;
    }

    /** The data set's own, but for a constraint that asks a function, which may change its mind. */
    private void makeTable() {
        database.execute("CREATE FUNCTION welcome(hostname text) RETURNS boolean LANGUAGE plpgsql AS"
                + " 'BEGIN RETURN true; END'");
        database.execute("CREATE TABLE cpu (time timestamptz NOT NULL, hostname text CHECK (" + database.schema()
                + ".welcome(hostname)), usage_user float8, usage_system float8, usage_idle float8, usage_nice float8,"
                + " usage_iowait float8, usage_irq float8, usage_softirq float8, usage_steal float8, usage_guest float8,"
                + " usage_guest_nice float8)");
        database.execute("SELECT create_hypertable('cpu', by_range('time', INTERVAL '20 min'))");
    }

    /** 20 rows of each host a second are 200 seconds of data: a chunk lasts for six. */
    private List<String> arguments() {
        return List.of(
                "--sink.url", database.url(),
                "--sink.user", database.user(),
                "--sink.create", "never",
                "--sink.table", "cpu",
                "--source.rows", "100000000",
                "--source.devices", "100",
                "--source.rate", "2000",
                "--source.on-bad-row", "reject",
                "--run.rejects-dir", folder.resolve("rejects").toUri().toString(),
                "--sink.batch.age", "200 ms",
                "--job.parallelism", "2",
                "--job.checkpoint-interval", "1 s");
    }

    private void everythingHasData() throws IOException {
        for (JsonNode rule : prometheus.rules()) {
            if (rule.path("type").asText().equals("recording")) {
                hasData(rule.path("name").asText(), rule.path("name").asText());
            }
        }
        Dashboard dashboard = Dashboard.read(K8S.resolve("grafana/chunkroll.json"));
        dashboard.queries(RATE_INTERVAL).forEach(this::hasData);
        assertThat(prometheus.labelValues("job_name", "flink_taskmanager_job_task_operator_committedRows"))
                .containsExactly("chunkroll_cpu_hypertable");
        Pattern name = Pattern.compile("`(flink_(?:task|job)manager_\\w+[a-zA-Z])`");
        List<String> documented = Files.readAllLines(Path.of("..", "docs", "metrics.md")).stream()
                .flatMap(line -> name.matcher(line).results().map(found -> found.group(1)))
                .distinct()
                .toList();
        assertThat(documented).hasSizeGreaterThan(20);
        documented.forEach(metric -> hasData(metric, metric));
        assertThat(prometheus.rules())
                .allSatisfy(rule -> assertThat(rule.path("health").asText()).isEqualTo("ok"));
    }

    private void hasData(String place, String query) {
        await(place + ": " + query)
                .atMost(SOON)
                .until(() -> prometheus.query(query).stream().anyMatch(value -> !value.isNaN()));
    }

    /** All writers come to need a chunk, and wait for the one whose transaction does not end. */
    private void aChunkThatSomebodyElseMakes() throws Exception {
        try (Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("INSERT INTO cpu (time, hostname) VALUES ('2036-01-01', 'host_0')");
            await("alerts of a stall")
                    .atMost(SOON)
                    .until(() -> prometheus.firing().containsAll(STALLED));
            assertThat(prometheus.firing()).doesNotContain("ChunkrollRejects");
            other.rollback();
        }
        clears();
    }

    private void connectionsThatAreLost() {
        await("an alert of retries").atMost(SOON).until(() -> {
            database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE application_name LIKE 'chunkroll copy %'");
            return prometheus.firing().contains("ChunkrollRetries");
        });
        assertThat(prometheus.firing()).doesNotContain("ChunkrollRejects");
        clears();
    }

    private void rowsThatTheServerRefuses() {
        welcomes("hostname <> 'host_7'");
        await("an alert of rejects")
                .atMost(SOON)
                .until(() -> prometheus.firing().contains("ChunkrollRejects"));
        welcomes("true");
        clears();
        assertThat(database.count("SELECT count(*) FROM cpu WHERE hostname = 'host_7'"))
                .isLessThan(database.count("SELECT count(*) FROM cpu WHERE hostname = 'host_8'"));
    }

    private void welcomes(String condition) {
        database.execute("CREATE OR REPLACE FUNCTION welcome(hostname text) RETURNS boolean LANGUAGE plpgsql AS"
                + " 'BEGIN RETURN " + condition.replace("'", "''") + "; END'");
    }

    private void clears() {
        await("no alert any more").atMost(SOON).until(() -> prometheus.firing().isEmpty());
    }
}
