package io.chunkroll.job.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.chunkroll.job.cluster.FlinkRest;
import io.chunkroll.sinks.metrics.LatencyHistogram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is made of a cluster's answers: what was seen, and what of it is proven to be all. */
final class RestMetricsTest {
    private static final OptionalLong UNKNOWN = OptionalLong.empty();
    private static final RestMetrics.Kind PLAIN = new RestMetrics.Kind(false, false, false, false, UNKNOWN);

    private final Map<String, String> answers = new ConcurrentHashMap<>();
    private HttpServer server;
    private FlinkRest rest;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            String query = exchange.getRequestURI().getQuery() == null ? "" : "?get";
            byte[] body = answers.getOrDefault(path + query, "[]").getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        rest = new FlinkRest(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void job(String state, long read, long sent, int subtasks) {
        answers.put("/jobs/j", """
                {"state": "%s", "now": 2000, "end-time": 1900, "vertices": [
                  {"id": "s", "name": "Source: source", "parallelism": 1, "status": "RUNNING", "metrics": {"write-records": %d}},
                  {"id": "w", "name": "sink: Writer", "parallelism": %d, "status": "RUNNING", "metrics": {"write-records": %d}}]}
                """.formatted(state, read, subtasks, sent));
    }

    private void restarts(int restarts) {
        answers.put("/jobs/j/metrics?get", "[{\"id\": \"numRestarts\", \"value\": \"" + restarts + "\"}]");
    }

    /** A task's own metrics, whose names have no operator, are listed but not asked for. */
    private void subtask(String vertex, int index, Map<String, String> metrics) {
        String path = "/jobs/j/vertices/" + vertex + "/subtasks/" + index + "/metrics";
        StringBuilder names = new StringBuilder();
        StringBuilder values = new StringBuilder();
        metrics.forEach((name, value) -> {
            names.append(names.isEmpty() ? "" : ",")
                    .append("{\"id\": \"")
                    .append(name)
                    .append("\"}");
            if (name.contains(".")) {
                values.append(values.isEmpty() ? "" : ",")
                        .append("{\"id\": \"")
                        .append(name)
                        .append("\", \"value\": \"")
                        .append(value)
                        .append("\"}");
            }
        });
        answers.put(path, "[" + names + "]");
        answers.put(path + "?get", "[" + values + "]");
    }

    private void writer(int index, long rows, LatencyHistogram latency) {
        subtask(
                "w",
                index,
                Map.of(
                        "sink__Writer.committedRows", String.valueOf(rows),
                        "sink__Writer.numRecordsSend", String.valueOf(rows),
                        "sink__Writer.flushes", String.valueOf(latency.getCount()),
                        "sink__Writer.flushLatencyHistogram", latency.encoded(),
                        "busyTimeMsPerSecond", "NaN"));
    }

    private void source(long rows) {
        subtask("s", 0, Map.of("Source__source.numRecordsOut", String.valueOf(rows), "numRecordsOut", "7"));
    }

    private static LatencyHistogram latencies(long... micros) {
        LatencyHistogram histogram = new LatencyHistogram();
        for (long value : micros) {
            histogram.update(value);
        }
        return histogram;
    }

    private RestMetrics looked(RestMetrics.Kind kind) {
        RestMetrics metrics = new RestMetrics(rest, "j", kind);
        metrics.look(rest.job("j"));
        return metrics;
    }

    @Test
    void subtasksAddUp() {
        job("RUNNING", 0, 0, 2);
        source(500);
        writer(0, 100, latencies(10, 20));
        writer(1, 200, latencies(1000));

        RestMetrics metrics = looked(PLAIN);

        assertThat(metrics.rowsRead()).isEqualTo(500);
        assertThat(metrics.rowsWritten()).isEqualTo(300);
        assertThat(metrics.rowsPerSubtask()).containsExactly(100L, 200L);
        assertThat(metrics.flushes()).isEqualTo(3);
        assertThat(metrics.flushLatency().getTotalCount()).isEqualTo(3);
        assertThat(metrics.flushLatency().getMaxValue()).isBetween(1000L, 1001L);
    }

    /** The writer's count goes on from its checkpoint, all others begin anew. */
    @Test
    void anotherAttemptAddsUp() {
        job("RUNNING", 0, 0, 1);
        source(500);
        writer(0, 300, latencies(10, 20, 30));
        RestMetrics metrics = looked(PLAIN);

        source(50);
        writer(0, 350, latencies(40));
        restarts(1);
        metrics.look(rest.job("j"));

        assertThat(metrics.rowsRead()).isEqualTo(550);
        assertThat(metrics.rowsWritten()).isEqualTo(350);
        assertThat(metrics.flushes()).isEqualTo(4);
        assertThat(metrics.flushLatency().getTotalCount()).isEqualTo(4);
        assertThat(metrics.restarts()).isEqualTo(1);
    }

    @Test
    void whatWasSeenToTheLastIsKnown() {
        job("FINISHED", 300, 300, 1);
        source(300);
        writer(0, 300, latencies(10));

        RestMetrics metrics = looked(PLAIN);
        metrics.settle(UNKNOWN, OptionalLong.of(300), OptionalLong.of(0));

        assertThat(metrics.unsettled()).isEmpty();
        assertThat(metrics.rowsUnsettled()).isEmpty();
        assertThat(metrics.readUnsettled()).isEmpty();
    }

    /** Rows are known by what the tasks reported at their end; latencies of flushes that nobody saw are not. */
    @Test
    void whatCameAfterTheLastLookIsNotKnown() {
        job("FINISHED", 300, 300, 1);
        source(300);
        writer(0, 200, latencies(10));

        RestMetrics metrics = looked(PLAIN);
        metrics.settle(OptionalLong.of(300), OptionalLong.of(300), OptionalLong.of(0));

        assertThat(metrics.rowsWritten()).isEqualTo(300);
        assertThat(metrics.rowsUnsettled()).isEmpty();
        assertThat(metrics.unsettled())
                .hasValueSatisfying(reason -> assertThat(reason).contains("metrics.fetcher.update-interval"));
    }

    /** After a restart only the table can prove the count. */
    @Test
    void aJobThatWasRestarted() {
        restarts(1);
        job("FINISHED", 100, 100, 1);
        source(100);
        writer(0, 300, latencies(10));

        RestMetrics unproven = looked(PLAIN);
        unproven.settle(OptionalLong.of(310), OptionalLong.of(300), OptionalLong.of(0));
        RestMetrics proven = looked(PLAIN);
        proven.settle(OptionalLong.of(300), OptionalLong.of(300), OptionalLong.of(0));

        assertThat(unproven.rowsUnsettled()).isPresent();
        assertThat(proven.rowsUnsettled()).isEmpty();
        assertThat(proven.unsettled())
                .hasValueSatisfying(reason -> assertThat(reason).contains("restarted"));
    }

    /** A lost TaskManager keeps the cluster's metrics back, that of restarts, too: the load ends before they are seen. */
    @Test
    void aRestartThatNoMetricTellsOf() {
        RestMetrics.Kind known = new RestMetrics.Kind(false, true, false, false, OptionalLong.of(600));
        answers.put("/jobs/j/vertices/s", "{\"subtasks\": [{\"attempt\": 0}, {\"attempt\": 1}]}");
        job("FINISHED", 500, 500, 1);

        RestMetrics metrics = looked(known);
        metrics.settle(OptionalLong.of(601), OptionalLong.of(0), OptionalLong.of(0));
        RestMetrics proven = looked(known);
        proven.settle(OptionalLong.of(600), OptionalLong.of(0), OptionalLong.of(0));

        assertThat(metrics.restarts()).isEqualTo(1);
        assertThat(metrics.rowsUnsettled()).as("one row more than there were").isPresent();
        assertThat(proven.rowsUnsettled()).isEmpty();
        assertThat(proven.rowsWritten()).isEqualTo(600);
        assertThat(proven.readUnsettled()).isPresent();
        assertThat(proven.unsettled()).isPresent();
    }

    /** Its sink counts what was committed before the savepoint, too. */
    @Test
    void aJobThatGoesOnFromASavepoint() {
        job("RUNNING", 0, 0, 1);
        source(100);
        subtask("w", 0, Map.of("sink__Writer.committedRows", "900", "sink__Writer.numRecordsSend", "100"));

        assertThat(looked(new RestMetrics.Kind(true, false, false, false, UNKNOWN))
                        .rowsWritten())
                .isEqualTo(100);
    }
}
