package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.job.report.Timeline;
import io.chunkroll.job.report.TimelinePoint;
import io.chunkroll.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a run says it measured, held against the server; and that it says why, where it did not. */
@Timeout(300)
final class MeasuredRunITCase {
    private static final int ROWS = 60_000;
    private static final List<String> LOAD =
            List.of("--source.rows", "" + ROWS, "--source.devices", "300", "--sink.chunk-interval", "10 min");

    @TempDir
    Path folder;

    private List<String> words(String... more) {
        List<String> words = new ArrayList<>(List.of("run", "--run.dir", run().toString()));
        words.addAll(LOAD);
        words.addAll(List.of(more));
        return words;
    }

    private Path run() {
        return folder.resolve("run");
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(run().resolve("run.json").toFile());
    }

    /** Every null has a reason, and nothing else has. */
    private static void assertReasonsAreComplete(JsonNode json) {
        Set<String> nulls = new TreeSet<>();
        collectNulls("", json, nulls);
        nulls.remove("failure");
        nulls.removeIf(path -> path.startsWith("settings."));
        Set<String> reasons = new TreeSet<>();
        json.path("not_measured").fieldNames().forEachRemaining(reasons::add);
        assertThat(reasons).isEqualTo(nulls);
        json.path("not_measured").forEach(reason -> assertThat(reason.asText()).isNotBlank());
    }

    private static void collectNulls(String path, JsonNode node, Set<String> nulls) {
        node.properties().forEach(field -> {
            String name = path + field.getKey();
            if (field.getValue().isNull()) {
                nulls.add(name);
            }
            collectNulls(name + ".", field.getValue(), nulls);
            field.getValue().forEach(item -> {
                if (field.getValue().isArray()) {
                    collectNulls(name + ".", item, nulls);
                }
            });
        });
    }

    private static void assertSubtasksAddUp(JsonNode json, int subtasks) {
        JsonNode rows = json.path("rows_per_subtask");
        assertThat(rows.path("all")).hasSize(subtasks);
        long sum = 0;
        for (JsonNode one : rows.path("all")) {
            sum += one.asLong();
            assertThat(one.asLong())
                    .isBetween(rows.path("min").asLong(), rows.path("max").asLong());
        }
        assertThat(sum).isEqualTo(json.path("rows_written").asLong()).isEqualTo(ROWS);
        assertThat(rows.path("mean").asDouble()).isEqualTo((double) ROWS / subtasks);
    }

    private static long sum(JsonNode chunks, String field) {
        long sum = 0;
        for (JsonNode chunk : chunks) {
            sum += chunk.path(field).asLong();
        }
        return sum;
    }

    @Test
    void theEmbeddedServerIsWatchedAfterTheLoad() throws Exception {
        BorrowedCache cache = BorrowedCache.in(folder);
        BorrowedCache.Said said = cache.command(
                words("--sink.layout", "hypertable", "--job.parallelism", "2", "--run.watch-after", "5 s"));

        assertThat(said.exit()).as(said.text()).isZero();
        assertThat(said.text()).contains("watching the server for up to 5 s", "a checkpoint is still to come");
        JsonNode json = json();
        assertThat(json.path("outcome").asText()).isEqualTo("finished");
        JsonNode after = json.path("after_load");
        // Nobody writes the load's pages so soon: checkpoint_timeout is five minutes.
        assertThat(after.path("ended").asText()).isEqualTo("limit");
        assertThat(after.path("checkpoint_pending").asBoolean()).isTrue();
        assertThat(after.path("seconds").asDouble()).isBetween(4.0, 30.0);
        assertThat(after.path("server_cpu_seconds").asDouble()).isBetween(0.0, 60.0);
        assertThat(after.path("server_disk_write_bytes").isIntegralNumber()).isTrue();
        assertThat(json.path("server_cpu_seconds").asDouble()).isPositive();
        assertThat(json.path("server_disk_write_bytes").asLong()).isPositive();
        List<TimelinePoint> points = Timeline.read(run()).points();
        assertThat(points.stream().filter(point -> !point.isLoad()))
                .hasSizeBetween(3, 30)
                .allMatch(point ->
                        point.rows() == ROWS && point.serverCpuSeconds().isPresent());
        assertSizesGrowToTheEnd(points, json);
        assertSubtasksAddUp(json, 2);
        assertReasonsAreComplete(json);
        assertThat(json.path("not_measured").has("server_cpu_seconds")).isFalse();
        assertThat(run().resolve("report.html"))
                .content()
                .contains("What the server did", "4 chunks, with sizes", "a checkpoint still to come");
    }

    private static void assertSizesGrowToTheEnd(List<TimelinePoint> points, JsonNode json) {
        List<TimelinePoint> seen =
                points.stream().filter(point -> point.tableBytes().isPresent()).toList();
        assertThat(seen)
                .hasSizeGreaterThan(2)
                .allMatch(point -> point.indexBytes().isPresent());
        TimelinePoint last = seen.get(seen.size() - 1);
        double table = json.path("table_bytes").asDouble();
        assertThat((double) last.tableBytes().getAsLong()).isBetween(0.95 * table, 1.05 * table);
        double indexes = json.path("index_bytes").asDouble();
        assertThat((double) last.indexBytes().getAsLong()).isBetween(0.95 * indexes, 1.05 * indexes);
        assertThat(seen)
                .isSortedAccordingTo(java.util.Comparator.comparingLong(
                        point -> point.indexBytes().getAsLong()));
    }

    /** Its checkpoints are not forced, but waited for: with one every half minute the server comes to rest. */
    @Test
    void aServerComesToRestAfterItsCheckpoint() throws Exception {
        BorrowedCache cache = BorrowedCache.in(folder);
        BorrowedCache.Said said =
                cache.command(words("--server.checkpoint_timeout", "30s", "--run.watch-after", "4 min"));

        assertThat(said.exit()).as(said.text()).isZero();
        JsonNode after = json().path("after_load");
        assertThat(after.path("ended").asText()).as(said.text()).isEqualTo("idle");
        assertThat(after.path("checkpoint_pending").asBoolean()).isFalse();
        assertThat(after.path("server_disk_write_bytes").asLong())
                .as("the checkpoint writes table and indexes")
                .isGreaterThan(json().path("index_bytes").asLong() / 2);
        assertThat(after.path("seconds").asDouble()).isBetween(1.0, 230.0);
    }

    @Test
    void ctrlCEndsTheWatchingAndNotTheResult() throws Exception {
        BorrowedCache cache = BorrowedCache.in(folder);
        try (CommandProcess command = cache.start(words("--run.watch-after", "1 h"))) {
            await().atMost(Duration.ofMinutes(2)).until(() -> command.output().contains("Watching the server"));
            command.signal("INT");

            assertThat(command.waitFor()).as(command.output()).isZero();
        }
        JsonNode json = json();
        assertThat(json.path("outcome").asText()).isEqualTo("finished");
        assertThat(json.path("rows_in_table").asLong()).isEqualTo(ROWS);
        assertThat(json.path("after_load").path("ended").asText()).isEqualTo("stopped");
        assertThat(json.path("after_load").path("seconds").asDouble()).isPositive();
    }

    @ParameterizedTest(name = "{1} by {0}")
    @CsvSource({"copy,plain", "copy,hypertable", "copy,partitioned", "jdbc,plain", "jdbc,hypertable"})
    void aServerElsewhereIsMeasuredByItsCatalogue(String sink, String layout) throws IOException {
        try (TestDatabase database = TestDatabase.create()) {
            Instant begin = Instant.now();
            Cli cli = Cli.run(words(
                            "--sink.url",
                            database.url(),
                            "--sink.user",
                            database.user(),
                            "--sink.kind",
                            sink,
                            "--sink.layout",
                            layout,
                            "--job.parallelism",
                            "3",
                            "--run.watch-after",
                            "5 s")
                    .toArray(String[]::new));

            assertThat(cli.exit()).as(cli.all()).isZero();
            JsonNode json = json();
            assertReasonsAreComplete(json);
            assertThat(json.path("not_measured").path("after_load").asText()).contains("not the embedded one");
            assertThat(json.path("not_measured").path("server_cpu_seconds").asText())
                    .contains("not the embedded one");
            assertThat(json.path("not_measured").has("server_disk_write_bytes")).isTrue();
            assertThat(Timeline.read(run()).points()).allMatch(TimelinePoint::isLoad);
            assertSubtasksAddUp(json, 3);
            if (layout.equals("plain")) {
                assertThat(json.path("not_measured").path("chunk_list").asText())
                        .isEqualTo("a plain table has no chunks");
                assertThat(json.path("table_bytes").asLong()).isEqualTo(database.count("SELECT pg_table_size('cpu')"));
                assertThat(json.path("index_bytes").asLong())
                        .isEqualTo(database.count("SELECT pg_indexes_size('cpu')"));
            } else {
                assertChunks(json, begin, database);
            }
            assertThat(run().resolve("report.html")).content().contains("What was not measured, and why");
        }
    }

    /** Table and indexes are those of the chunks and of the empty table above them. */
    private static void assertChunks(JsonNode json, Instant begin, TestDatabase database) {
        JsonNode chunks = json.path("chunk_list");
        assertThat(chunks).hasSize(4);
        assertThat(sum(chunks, "table_bytes")).isPositive();
        assertThat(json.path("table_bytes").asLong())
                .isEqualTo(sum(chunks, "table_bytes") + database.count("SELECT pg_table_size('cpu')"));
        assertThat(json.path("index_bytes").asLong())
                .isEqualTo(sum(chunks, "index_bytes") + database.count("SELECT pg_indexes_size('cpu')"));
        for (JsonNode chunk : chunks) {
            assertThat(Instant.parse(chunk.path("created_at").asText()))
                    .isBetween(begin.minusSeconds(5), Instant.now().plusSeconds(5));
            assertThat(chunk.path("range_start").asText()).contains("2016-01-01");
        }
    }

    @Test
    void partitionsThatWereThereBeforeHaveNoTime() throws IOException {
        try (TestDatabase database = TestDatabase.create()) {
            String[] settings = words(
                            "--sink.url",
                            database.url(),
                            "--sink.user",
                            database.user(),
                            "--sink.layout",
                            "partitioned")
                    .toArray(String[]::new);
            assertThat(Cli.run(settings).exit()).isZero();
            settings[2] = folder.resolve("again").toString();
            assertThat(Cli.run(settings).exit()).isZero();

            JsonNode json =
                    new ObjectMapper().readTree(folder.resolve("again/run.json").toFile());
            assertThat(json.path("chunk_list"))
                    .hasSize(4)
                    .allMatch(chunk -> chunk.path("created_at").isNull());
            assertThat(json.path("rows_before").asLong()).isEqualTo(ROWS);
            assertReasonsAreComplete(json);
        }
    }

    @Test
    void discardedRowsHaveReasonsToo() throws IOException {
        String[] settings = Stream.concat(
                        words().stream(), Stream.of("--sink.kind", "discard", "--job.parallelism", "2"))
                .toArray(String[]::new);
        Cli cli = Cli.run(settings);

        assertThat(cli.exit()).as(cli.all()).isZero();
        assertReasonsAreComplete(json());
        assertSubtasksAddUp(json(), 2);
        assertThat(json().path("not_measured").path("wal_bytes").asText()).contains("sink.kind discard");
    }
}
