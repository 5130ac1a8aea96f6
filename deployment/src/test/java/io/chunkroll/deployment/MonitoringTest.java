package io.chunkroll.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.server.PrometheusPrograms;
import io.chunkroll.server.ServerUnavailableException;
import io.chunkroll.sinks.metrics.SinkMetrics;
import io.chunkroll.sinks.table.TableWatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules, alerts and the dashboard: in promtool's words, and against what docs/metrics.md has. A real Prometheus with a cluster: faults/. */
final class MonitoringTest {
    private static final Monitoring K8S = new Monitoring(Overlays.K8S);

    @TempDir
    private Path folder;

    private record Outcome(int exit, String output) {}

    private Outcome promtool(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        try {
            command.add(PrometheusPrograms.find("promtool").toString());
        } catch (ServerUnavailableException e) {
            abort("needs promtool, which is neither on the PATH nor to be had: " + e.getMessage());
        }
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), output);
    }

    private void writeRules(String rules) throws IOException {
        Files.writeString(folder.resolve("rules.yaml"), rules);
        try (var alerts = MonitoringTest.class.getResourceAsStream("/alerts.yaml")) {
            Files.copy(alerts, folder.resolve("alerts.yaml"));
        }
    }

    /** {@code alerts.yaml} has each alert fire and clear. */
    @Test
    void everyAlertFiresAndClearsWhenItShould() throws Exception {
        writeRules(K8S.rules());

        Outcome outcome = promtool("test", "rules", "alerts.yaml");

        assertThat(outcome.exit()).as(outcome.output()).isZero();
        String alerts = Files.readString(folder.resolve("alerts.yaml"));
        assertThat(K8S.rules().lines().filter(line -> line.contains("- alert: ")))
                .hasSize(5)
                .allSatisfy(line -> assertThat(alerts)
                        .contains(line.replace("- alert: ", "").strip()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    rate1m > 0          | rate1m > 250
                    for: 2m             | for: 20m
                    age:seconds > 300   | age:seconds > 30
                    avg1m >= 0.5        | avg1m >= 5
                    increase5m > 0      | increase5m > 100
                    (rate(flink         | (irat(flink
                    """)
    void aChangedRuleIsSeen(String good, String bad) throws Exception {
        assertThat(K8S.rules()).contains(good);
        writeRules(K8S.rules().replace(good, bad));

        assertThat(promtool("test", "rules", "alerts.yaml").exit()).isNotZero();
    }

    @Test
    void everyQueryOfTheDashboardIsOne() throws Exception {
        StringBuilder rules = new StringBuilder("groups:\n  - name: dashboard\n    rules:\n");
        ObjectMapper json = new ObjectMapper();
        for (Map.Entry<String, String> query :
                DashboardCheck.queries(json.readTree(K8S.dashboard())).entrySet()) {
            String expression = query.getValue()
                    .replace("$__rate_interval", "1m")
                    .replace("$__range", "1h")
                    .replace("$job", "chunkroll_cpu");
            rules.append("      - record: r\n        labels: {place: ")
                    .append(json.writeValueAsString(query.getKey()))
                    .append("}\n        expr: ")
                    .append(json.writeValueAsString(expression))
                    .append('\n');
        }
        Files.writeString(folder.resolve("rules.yaml"), rules);

        Outcome outcome = promtool("check", "rules", "rules.yaml");

        assertThat(outcome.exit()).as(outcome.output()).isZero();
        Files.writeString(folder.resolve("rules.yaml"), rules.toString().replace("max by (", "max buy ("));
        assertThat(promtool("check", "rules", "rules.yaml").exit()).isNotZero();
    }

    @Test
    void metricsAreFoundInExpressions() {
        assertThat(PromQl.metrics("sum by (job_id, a) (rate(x_rows{job=~\"b.*\"}[1m])) unless on (c) job:y:rate1m > 1e6"
                        + " or avg_over_time(z[5m] offset 1m)"))
                .containsExactly("job:y:rate1m", "x_rows", "z");
    }

    @Test
    void whatTheSinksCallTheirMetricsIsDocumented() {
        assertThat(Monitoring.documented())
                .containsAll(Stream.of(
                                SinkMetrics.COMMITTED_ROWS,
                                SinkMetrics.COMMITTED_BYTES,
                                SinkMetrics.FLUSHES,
                                SinkMetrics.RETRIES,
                                SinkMetrics.SKIPPED,
                                SinkMetrics.REPLACED,
                                SinkMetrics.FILTERED,
                                SinkMetrics.FLUSH_LATENCY,
                                SinkMetrics.BATCH_ROWS,
                                SinkMetrics.LAST_COMMIT_TIME,
                                TableWatch.CHUNKS,
                                TableWatch.LAST_CHUNK_ROLL_TIME,
                                TableWatch.CHUNK_WAITS,
                                TableWatch.WAL_BYTES,
                                TableWatch.TABLE_BYTES,
                                TableWatch.INDEX_BYTES)
                        .map(name -> "flink_taskmanager_job_task_operator_" + name)
                        .toList());
    }
}
