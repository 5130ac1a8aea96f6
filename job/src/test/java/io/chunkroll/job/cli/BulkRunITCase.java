package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.job.IngestJob;
import io.chunkroll.job.report.Timeline;
import io.chunkroll.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole runs with {@code sink.load bulk}, compared with the tables that live runs of the same rows make. */
final class BulkRunITCase {
    private static final int ROWS = 60_000;

    /** 60,000 rows of 300 hosts are 2,000 s, in four intervals of ten minutes. */
    private static final String[] SOURCE = {"--source.rows", "" + ROWS, "--source.devices", "300"};

    private static final String CONTENT = "SELECT count(*) || ' ' || count(DISTINCT (time, hostname)) || ' '"
            + " || sum(hashtextextended(cpu::text, 0)) FROM %s cpu";

    // Names and definitions of the indexes of table, chunks and partitions, as if all were of a table called cpu.
    private static final String INDEXES = """
            SELECT string_agg(regexp_replace(pg_get_indexdef(i.indexrelid), 'cpu_live|cpu_bulk|_hyper_\\d+_\\d+_chunk', 'cpu', 'g'),
                E'\\n' ORDER BY regexp_replace(pg_get_indexdef(i.indexrelid), 'cpu_live|cpu_bulk|_hyper_\\d+_\\d+_chunk', 'cpu', 'g'))
            FROM pg_index i WHERE i.indisvalid AND (i.indrelid = '%1$s'::regclass
                OR i.indrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = '%1$s'::regclass))
            """;

    @TempDir
    Path folder;

    private TestDatabase database;
    private int runs;

    @BeforeEach
    void open() {
        database = TestDatabase.create();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private List<String> words(String... settings) {
        List<String> words = new ArrayList<>(List.of(
                "run",
                "--sink.url",
                database.url(),
                "--sink.user",
                database.user(),
                "--run.dir",
                folder.resolve("run" + ++runs).toString(),
                "--sink.chunk-interval",
                "10 min",
                "--sink.batch.rows",
                "1000"));
        words.addAll(List.of(settings));
        return words;
    }

    private Cli run(String[] source, String... settings) {
        return Cli.run(
                words(Stream.concat(Stream.of(source), Stream.of(settings)).toArray(String[]::new))
                        .toArray(String[]::new));
    }

    private Cli leftovers(String... words) {
        List<String> all =
                new ArrayList<>(List.of("leftovers", "--sink.url", database.url(), "--sink.user", database.user()));
        all.addAll(List.of(words));
        return Cli.run(all.toArray(String[]::new));
    }

    private JsonNode runJson() throws IOException {
        return new ObjectMapper()
                .readTree(folder.resolve("run" + runs + "/run.json").toFile());
    }

    private void assertLikeLive() {
        assertThat(database.one(CONTENT.formatted("cpu_bulk"))).isEqualTo(database.one(CONTENT.formatted("cpu_live")));
        assertThat(database.one(INDEXES.formatted("cpu_bulk"))).isEqualTo(database.one(INDEXES.formatted("cpu_live")));
        assertThat(database.one("SELECT obj_description('cpu_bulk'::regclass)")).isNull();
    }

    private void loadLive(String... settings) {
        Cli live = run(
                SOURCE,
                Stream.concat(Stream.of("--sink.table", "cpu_live"), Stream.of(settings))
                        .toArray(String[]::new));
        assertThat(live.exit()).as(live.all()).isZero();
    }

    @ParameterizedTest(name = "{0}, {1}, {2} subtasks")
    @CsvSource({
        "plain,exactly-once,2",
        "hypertable,at-least-once,2",
        "partitioned,at-least-once,4",
        "partitioned,exactly-once,2",
    })
    void theTableIsAsALiveLoadMakesIt(String layout, String guarantee, int subtasks) throws IOException {
        loadLive("--sink.layout", layout);
        Cli bulk = run(
                SOURCE,
                "--sink.table",
                "cpu_bulk",
                "--sink.layout",
                layout,
                "--sink.load",
                "bulk",
                "--sink.guarantee",
                guarantee,
                "--job.checkpoint-interval",
                "300 ms",
                "--job.parallelism",
                "" + subtasks);

        assertThat(bulk.exit()).as(bulk.all()).isZero();
        assertLikeLive();
        assertThat(bulk.all())
                .contains("Indexes are ready after", "Indexes were ready", "rows/s until then")
                .contains(layout.equals("partitioned") ? "4 partitions indexed and attached" : "2 built");
        JsonNode json = runJson();
        assertThat(json.path("rows_written").asLong()).isEqualTo(ROWS);
        assertThat(json.path("rows_in_table").asLong()).isEqualTo(ROWS);
        assertThat(json.path("index_seconds").isNumber()).isTrue();
        assertThat(json.path("ready_seconds").asDouble())
                .isGreaterThan(json.path("seconds").asDouble());
        assertThat(json.path("rows_per_second_until_ready").asDouble())
                .isLessThan(json.path("rows_per_second").asDouble());
        assertThat(json.path("settings").path("sink.sort").asText()).isEqualTo("false");
        assertThat(json.path("table").path("indexes")).hasSize(2);
        Timeline timeline = Timeline.read(folder.resolve("run" + runs));
        assertThat(timeline.points().get(timeline.points().size() - 1).isLoad()).isFalse();
        assertThat(folder.resolve("run" + runs + "/report.html")).content().contains("Until indexes are ready");
    }

    /** The second file begins in the middle of the last partition of the first, and goes on into two new ones. */
    @Test
    void newPartitionsAreAppendedAndOldOnesLoadedLive() throws IOException {
        String[] more = {
            "--source.rows",
            "45000",
            "--source.devices",
            "300",
            "--source.start",
            "2016-01-01T00:33:20Z",
            "--source.seed",
            "5"
        };
        loadLive("--sink.layout", "partitioned");
        assertThat(run(SOURCE, "--sink.table", "cpu_bulk", "--sink.layout", "partitioned")
                        .exit())
                .isZero();
        assertThat(run(more, "--sink.table", "cpu_live").exit()).isZero();
        Cli append = run(more, "--sink.table", "cpu_bulk", "--sink.load", "bulk", "--job.parallelism", "2");

        assertThat(append.exit()).as(append.all()).isZero();
        assertLikeLive();
        // From 00:33:20 to 00:40:00 are 40 steps of 300 hosts.
        assertThat(runJson().path("rows_loaded_live").asLong()).isEqualTo(12_000);
        assertThat(append.all()).contains("12,000 rows went into partitions that were there already");
        assertThat(database.count("SELECT count(*) FROM pg_inherits WHERE inhparent = 'cpu_bulk'::regclass"))
                .isEqualTo(6);
    }

    @Test
    void rowsThatTheServerRefusesAreSetAside() throws IOException {
        database.execute("CREATE TABLE cpu_bulk (time timestamptz NOT NULL, hostname text, usage_user float8 CHECK"
                + " (usage_user < 50)) PARTITION BY RANGE (time)");
        database.execute("CREATE UNIQUE INDEX ON cpu_bulk (hostname, time)");
        StringBuilder lines = new StringBuilder("time,hostname,usage_user\n");
        for (int i = 0; i < 2_000; i++) {
            // Every tenth is too large, and every hundredth comes twice.
            String line = "2016-01-01 00:%02d:%02d+00,h%d,%d%n".formatted(i % 60, i / 60, i, i % 10 == 3 ? 60 : 5);
            lines.append(line).append(i % 100 == 0 ? line : "");
        }
        lines.append("infinity,x,1\n");
        Path file = Files.writeString(folder.resolve("some.csv"), lines);
        Cli bulk = run(
                new String[] {"--source.kind", "csv", "--source.path", file.toString()},
                "--sink.table",
                "cpu_bulk",
                "--sink.load",
                "bulk",
                "--source.on-bad-row",
                "reject");

        assertThat(bulk.exit()).as(bulk.all()).isEqualTo(3);
        assertThat(database.count("SELECT count(*) FROM cpu_bulk")).isEqualTo(1_800);
        assertThat(runJson().path("rows_rejected").asLong()).isEqualTo(200 + 20 + 1);
    }

    @Test
    void aTableWithRowsIsRefused() {
        assertThat(run(SOURCE, "--sink.table", "cpu_bulk").exit()).isZero();
        Cli bulk = run(SOURCE, "--sink.table", "cpu_bulk", "--sink.load", "bulk");

        assertThat(bulk.exit()).isEqualTo(1);
        assertThat(bulk.all())
                .contains("has rows already")
                .contains("sink.load live", "sink.create recreate")
                .doesNotContain("\tat ");
        assertThat(database.count("SELECT count(*) FROM cpu_bulk")).isEqualTo(ROWS);
    }

    @Test
    void whatDoesNotGoTogetherIsRefused() {
        Cli bulk = run(
                SOURCE,
                "--sink.load",
                "bulk",
                "--sink.kind",
                "jdbc",
                "--sink.on-conflict",
                "skip",
                "--sink.chunks-ahead",
                "false");

        assertThat(bulk.exit()).isEqualTo(2);
        assertThat(bulk.all())
                .contains(
                        "sink.load: bulk is for sink.kind copy",
                        "sink.on-conflict: needs a unique index while rows come",
                        "sink.chunks-ahead: must be true with sink.load bulk");
    }

    @Test
    void aRunThatLoadsNothingLeavesTheTableAsItWas() throws IOException {
        Path file = Files.writeString(folder.resolve("bad.csv"), "yesterday,a,1\n");
        Cli bulk = run(
                new String[] {"--source.kind", "csv", "--source.path", file.toString(), "--source.dataset", "cpu"},
                "--sink.table",
                "cpu_bulk",
                "--source.csv.columns",
                "time,hostname,usage_user",
                "--sink.load",
                "bulk");

        assertThat(bulk.exit()).as(bulk.all()).isEqualTo(1);
        assertThat(bulk.all()).contains("yesterday", "table " + database.schema() + ".cpu_bulk has its indexes");
        assertThat(database.count("SELECT count(*) FROM pg_index WHERE indrelid = 'cpu_bulk'::regclass"))
                .isEqualTo(2);
        assertThat(leftovers().all()).doesNotContain("cpu_bulk");
    }

    @ParameterizedTest
    @CsvSource({"plain,--finish", "partitioned,--finish", "partitioned,recreate"})
    void aRunThatWasKilledIsToldAndClearedUp(String layout, String way) throws IOException, InterruptedException {
        List<String> endless = words(
                "--source.rows",
                "0",
                "--source.devices",
                "300",
                "--source.rate",
                "20000",
                "--sink.table",
                "cpu_bulk",
                "--sink.layout",
                layout,
                "--sink.load",
                "bulk");
        try (CommandProcess command = CommandProcess.start(folder, Map.of(), endless)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> command.output().matches("(?s).* [1-9][0-9,]+ rows .*"));
            Cli other = run(SOURCE, "--sink.table", "cpu_bulk");
            assertThat(other.all()).contains("is going on: wait for its end");
            command.signal("KILL");
            command.waitFor();
        }
        await().atMost(Duration.ofMinutes(1))
                .until(() -> leftovers().all().contains("was broken off before all its rows"));
        for (String load : List.of("bulk", "live")) {
            Cli next = run(SOURCE, "--sink.table", "cpu_bulk", "--sink.load", load);
            assertThat(next.exit()).as(next.all()).isEqualTo(1);
            assertThat(next.all())
                    .contains(
                            "was broken off before all its rows were there",
                            "chunkroll leftovers --finish --sink.table")
                    .contains(layout.equals("partitioned") ? "which are not attached" : "up to 2 are missing");
        }
        if (way.equals("recreate")) {
            loadLive("--sink.layout", layout);
            Cli again = run(
                    SOURCE,
                    "--sink.table",
                    "cpu_bulk",
                    "--sink.layout",
                    layout,
                    "--sink.create",
                    "recreate",
                    "--sink.load",
                    "bulk");
            assertThat(again.exit()).as(again.all()).isZero();
            assertLikeLive();
            return;
        }
        long rows = committed(layout);
        Cli cleared = leftovers(way, "--sink.table", "cpu_bulk");

        assertThat(cleared.exit()).as(cleared.all()).isZero();
        assertThat(database.count("SELECT count(*) FROM cpu_bulk")).isEqualTo(way.equals("--finish") ? rows : 0);
        assertThat(rows).isPositive();
        assertThat(database.count("SELECT count(*) FROM pg_index WHERE indrelid = 'cpu_bulk'::regclass AND indisvalid"))
                .isEqualTo(2);
        assertThat(leftovers().all()).doesNotContain("cpu_bulk");
        Cli next = run(SOURCE, "--sink.table", "cpu_bulk");
        assertThat(next.exit()).as(next.all()).isZero();
    }

    private long committed(String layout) {
        if (!layout.equals("partitioned")) {
            return database.count("SELECT count(*) FROM cpu_bulk");
        }
        return Stream.of(database.one("SELECT string_agg(oid::regclass::text, ',') FROM pg_class WHERE relkind = 'r'"
                                + " AND NOT relispartition AND relname LIKE 'cpu\\_bulk\\_p%' AND relnamespace = '"
                                + database.schema() + "'::regnamespace")
                        .split(","))
                .mapToLong(table -> database.count("SELECT count(*) FROM " + table))
                .sum();
    }

    @Test
    void aStoppedRunHasItsIndexes() throws IOException, InterruptedException {
        List<String> endless = words(
                "--source.rows", "0", "--source.rate", "20000", "--sink.table", "cpu_bulk", "--sink.load", "bulk");
        try (CommandProcess command = CommandProcess.start(folder, Map.of(), endless)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> command.output().matches("(?s).* [1-9][0-9,]+ rows .*"));
            command.signal("INT");
            assertThat(command.waitFor()).as(command.output()).isEqualTo(130);
            assertThat(command.output()).contains("2 built");
        }
        assertThat(database.count("SELECT count(*) FROM pg_index WHERE indrelid = 'cpu_bulk'::regclass AND indisvalid"))
                .isEqualTo(2);
        assertThat(database.count("SELECT count(*) FROM cpu_bulk"))
                .isEqualTo(runJson().path("rows_written").asLong());
    }

    @Test
    void aDoubleKeyIsToldAtTheEnd() {
        database.execute("CREATE TABLE cpu_bulk (time timestamptz NOT NULL, hostname text, usage_user float8)");
        database.execute("CREATE UNIQUE INDEX ON cpu_bulk (hostname)");
        Cli bulk = run(
                new String[] {
                    "--source.kind", "csv", "--source.path", twoOfAHost().toString()
                },
                "--sink.table",
                "cpu_bulk",
                "--sink.load",
                "bulk");

        assertThat(bulk.exit()).isEqualTo(1);
        assertThat(bulk.all())
                .contains("The rows are committed, but not all indexes could be built", "could not create unique index")
                .contains("when all its rows were there", "--discard");
        assertThat(leftovers("--discard", "--sink.table", "cpu_bulk").exit()).isZero();
        assertThat(database.count("SELECT count(*) FROM cpu_bulk")).isZero();
    }

    /** As on a cluster, where the main method awaits the job. */
    @Test
    void theMainMethodBuildsIndexes() throws Exception {
        loadLive("--sink.layout", "partitioned");
        List<String> words = words(SOURCE);
        words.remove(0);
        words.addAll(List.of("--sink.table", "cpu_bulk", "--sink.layout", "partitioned", "--sink.load", "bulk"));
        IngestJob.main(words.toArray(String[]::new));

        assertLikeLive();
    }

    private Path twoOfAHost() {
        try {
            return Files.writeString(
                    folder.resolve("two.csv"),
                    "time,hostname,usage_user\n2016-01-01 00:00:00+00,a,1\n2016-01-01 00:00:10+00,a,1\n");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
