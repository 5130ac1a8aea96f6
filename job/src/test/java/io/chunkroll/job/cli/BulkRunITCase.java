package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.chunkroll.job.IngestJob;
import io.chunkroll.job.report.Timeline;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole runs with {@code sink.load bulk}, compared with the tables that live runs of the same rows make. */
final class BulkRunITCase extends LoadScenario {
    private static final int ROWS = 60_000;

    /** 60,000 rows of 300 hosts are 2,000 s, in four intervals of ten minutes. */
    private static final String[] SOURCE = {"source.rows " + ROWS, "source.devices 300"};

    private static final String CONTENT = "SELECT count(*) || ' ' || count(DISTINCT (time, hostname)) || ' '"
            + " || sum(hashtextextended(cpu::text, 0)) FROM %s cpu";

    // Names and definitions of the indexes of table, chunks and partitions, as if all were of a table called cpu.
    private static final String INDEXES = """
            SELECT string_agg(regexp_replace(pg_get_indexdef(i.indexrelid), 'cpu_live|cpu_bulk|_hyper_\\d+_\\d+_chunk', 'cpu', 'g'),
                E'\\n' ORDER BY regexp_replace(pg_get_indexdef(i.indexrelid), 'cpu_live|cpu_bulk|_hyper_\\d+_\\d+_chunk', 'cpu', 'g'))
            FROM pg_index i WHERE i.indisvalid AND (i.indrelid = '%1$s'::regclass
                OR i.indrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = '%1$s'::regclass))
            """;

    private int runs;

    @Override
    List<String> always() {
        return List.of("sink.chunk-interval 10 min", "sink.batch.rows 1000");
    }

    /** Each into a folder of its own. */
    private LoadResult load(String[] source, String... settings) {
        return runInto("run" + ++runs, and(source, settings));
    }

    private Cli leftovers(String... words) {
        return command("leftovers", words);
    }

    private void assertLikeLive() {
        assertThat(database.one(CONTENT.formatted("cpu_bulk"))).isEqualTo(database.one(CONTENT.formatted("cpu_live")));
        assertThat(database.one(INDEXES.formatted("cpu_bulk"))).isEqualTo(database.one(INDEXES.formatted("cpu_live")));
        assertThat(database.one("SELECT obj_description('cpu_bulk'::regclass)")).isNull();
    }

    private void loadLive(String... settings) {
        load(and(SOURCE, "sink.table cpu_live"), settings).succeeded();
    }

    @ParameterizedTest(name = "{0}, {1}, {2} subtasks")
    @CsvSource({
        "plain,exactly-once,2",
        "hypertable,at-least-once,2",
        "partitioned,at-least-once,4",
        "partitioned,exactly-once,2",
    })
    void theTableIsAsALiveLoadMakesIt(String layout, String guarantee, int subtasks) throws IOException {
        loadLive("sink.layout " + layout);
        LoadResult bulk = load(
                SOURCE,
                "sink.table cpu_bulk",
                "sink.layout " + layout,
                "sink.load bulk",
                "sink.guarantee " + guarantee,
                "job.checkpoint-interval 300 ms",
                "job.parallelism " + subtasks);

        bulk.succeeded();
        assertLikeLive();
        assertThat(bulk.said())
                .contains("Indexes are ready after", "Indexes were ready", "rows/s until then")
                .contains(layout.equals("partitioned") ? "4 partitions indexed and attached" : "2 built");
        JsonNode json = bulk.json();
        assertThat(json.path("rows_written").asLong()).isEqualTo(ROWS);
        assertThat(json.path("rows_in_table").asLong()).isEqualTo(ROWS);
        assertThat(json.path("index_seconds").isNumber()).isTrue();
        assertThat(json.path("ready_seconds").asDouble())
                .isGreaterThan(json.path("seconds").asDouble());
        assertThat(json.path("rows_per_second_until_ready").asDouble())
                .isLessThan(json.path("rows_per_second").asDouble());
        assertThat(json.path("settings").path("sink.sort").asText()).isEqualTo("false");
        assertThat(json.path("table").path("indexes")).hasSize(2);
        Timeline timeline = bulk.timeline();
        assertThat(timeline.points().get(timeline.points().size() - 1).isLoad()).isFalse();
        assertThat(bulk.report()).content().contains("Until indexes are ready");
    }

    /** The second file begins in the middle of the last partition of the first, and goes on into two new ones. */
    @Test
    void newPartitionsAreAppendedAndOldOnesLoadedLive() throws IOException {
        String[] more = {"source.rows 45000", "source.devices 300", "source.start 2016-01-01T00:33:20Z", "source.seed 5"
        };
        loadLive("sink.layout partitioned");
        load(SOURCE, "sink.table cpu_bulk", "sink.layout partitioned").succeeded();
        load(more, "sink.table cpu_live").succeeded();
        LoadResult append = load(more, "sink.table cpu_bulk", "sink.load bulk", "job.parallelism 2");

        append.succeeded();
        assertLikeLive();
        // From 00:33:20 to 00:40:00 are 40 steps of 300 hosts.
        assertThat(append.json().path("rows_loaded_live").asLong()).isEqualTo(12_000);
        assertThat(append.said()).contains("12,000 rows went into partitions that were there already");
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
        Path file = write("some.csv", lines);
        LoadResult bulk = load(
                new String[] {"source.kind csv", "source.path " + file},
                "sink.table cpu_bulk",
                "sink.load bulk",
                "source.on-bad-row reject");

        bulk.ended(3);
        assertThat(database.count("SELECT count(*) FROM cpu_bulk")).isEqualTo(1_800);
        assertThat(bulk.json().path("rows_rejected").asLong()).isEqualTo(200 + 20 + 1);
    }

    @Test
    void aTableWithRowsIsRefused() {
        load(SOURCE, "sink.table cpu_bulk").succeeded();
        LoadResult bulk = load(SOURCE, "sink.table cpu_bulk", "sink.load bulk");

        bulk.ended(1);
        assertThat(bulk.said())
                .contains("has rows already")
                .contains("sink.load live", "sink.create recreate")
                .doesNotContain("\tat ");
        assertThat(database.count("SELECT count(*) FROM cpu_bulk")).isEqualTo(ROWS);
    }

    @Test
    void whatDoesNotGoTogetherIsRefused() {
        LoadResult bulk =
                load(SOURCE, "sink.load bulk", "sink.kind jdbc", "sink.on-conflict skip", "sink.chunks-ahead false");

        bulk.ended(2);
        assertThat(bulk.said())
                .contains(
                        "sink.load: bulk is for sink.kind copy",
                        "sink.on-conflict: needs a unique index while rows come",
                        "sink.chunks-ahead: must be true with sink.load bulk");
    }

    @Test
    void aRunThatLoadsNothingLeavesTheTableAsItWas() throws IOException {
        Path file = write("bad.csv", "yesterday,a,1\n");
        LoadResult bulk = load(
                new String[] {"source.kind csv", "source.path " + file, "source.dataset cpu"},
                "sink.table cpu_bulk",
                "source.csv.columns time,hostname,usage_user",
                "sink.load bulk");

        bulk.ended(1);
        assertThat(bulk.said()).contains("yesterday", "table " + database.schema() + ".cpu_bulk has its indexes");
        assertThat(database.count("SELECT count(*) FROM pg_index WHERE indrelid = 'cpu_bulk'::regclass"))
                .isEqualTo(2);
        assertThat(leftovers().all()).doesNotContain("cpu_bulk");
    }

    @ParameterizedTest
    @CsvSource({"plain,--finish", "partitioned,--finish", "partitioned,recreate"})
    void aRunThatWasKilledIsToldAndClearedUp(String layout, String way) throws IOException, InterruptedException {
        String[] endless = {
            "source.rows 0",
            "source.devices 300",
            "source.rate 20000",
            "sink.table cpu_bulk",
            "sink.layout " + layout,
            "sink.load bulk"
        };
        try (CommandProcess command = start("run" + ++runs, endless)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> command.output().matches("(?s).* [1-9][0-9,]+ rows .*"));
            LoadResult other = load(SOURCE, "sink.table cpu_bulk");
            assertThat(other.said()).contains("is going on: wait for its end");
            command.signal("KILL");
            command.waitFor();
        }
        await().atMost(Duration.ofMinutes(1))
                .until(() -> leftovers().all().contains("was broken off before all its rows"));
        for (String load : List.of("bulk", "live")) {
            LoadResult next = load(SOURCE, "sink.table cpu_bulk", "sink.load " + load);
            next.ended(1);
            assertThat(next.said())
                    .contains(
                            "was broken off before all its rows were there",
                            "chunkroll leftovers --finish --sink.table")
                    .contains(layout.equals("partitioned") ? "which are not attached" : "up to 2 are missing");
        }
        if (way.equals("recreate")) {
            loadLive("sink.layout " + layout);
            LoadResult again = load(
                    SOURCE, "sink.table cpu_bulk", "sink.layout " + layout, "sink.create recreate", "sink.load bulk");
            again.succeeded();
            assertLikeLive();
            return;
        }
        long rows = committed(layout);
        Cli cleared = leftovers(way, "sink.table cpu_bulk");

        assertThat(cleared.exit()).as(cleared.all()).isZero();
        assertThat(database.count("SELECT count(*) FROM cpu_bulk")).isEqualTo(way.equals("--finish") ? rows : 0);
        assertThat(rows).isPositive();
        assertThat(database.count("SELECT count(*) FROM pg_index WHERE indrelid = 'cpu_bulk'::regclass AND indisvalid"))
                .isEqualTo(2);
        assertThat(leftovers().all()).doesNotContain("cpu_bulk");
        LoadResult next = load(SOURCE, "sink.table cpu_bulk");
        next.succeeded();
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
        String[] endless = {"source.rows 0", "source.rate 20000", "sink.table cpu_bulk", "sink.load bulk"};
        try (CommandProcess command = start("run" + ++runs, endless)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> command.output().matches("(?s).* [1-9][0-9,]+ rows .*"));
            command.signal("INT");
            assertThat(command.waitFor()).as(command.output()).isEqualTo(130);
            assertThat(command.output()).contains("2 built");
        }
        assertThat(database.count("SELECT count(*) FROM pg_index WHERE indrelid = 'cpu_bulk'::regclass AND indisvalid"))
                .isEqualTo(2);
        assertThat(database.count("SELECT count(*) FROM cpu_bulk"))
                .isEqualTo(LoadResult.json(folder.resolve("run" + runs))
                        .path("rows_written")
                        .asLong());
    }

    @Test
    void aDoubleKeyIsToldAtTheEnd() {
        database.execute("CREATE TABLE cpu_bulk (time timestamptz NOT NULL, hostname text, usage_user float8)");
        database.execute("CREATE UNIQUE INDEX ON cpu_bulk (hostname)");
        Path two =
                write("two.csv", "time,hostname,usage_user\n2016-01-01 00:00:00+00,a,1\n2016-01-01 00:00:10+00,a,1\n");
        LoadResult bulk =
                load(new String[] {"source.kind csv", "source.path " + two}, "sink.table cpu_bulk", "sink.load bulk");

        bulk.ended(1);
        assertThat(bulk.said())
                .contains("The rows are committed, but not all indexes could be built", "could not create unique index")
                .contains("when all its rows were there", "--discard");
        assertThat(leftovers("--discard", "sink.table cpu_bulk").exit()).isZero();
        assertThat(database.count("SELECT count(*) FROM cpu_bulk")).isZero();
    }

    /** As on a cluster, where the main method awaits the job. */
    @Test
    void theMainMethodBuildsIndexes() throws Exception {
        loadLive("sink.layout partitioned");
        List<String> words =
                words("main", and(SOURCE, "sink.table cpu_bulk", "sink.layout partitioned", "sink.load bulk"));
        words.remove(0);
        IngestJob.main(words.toArray(String[]::new));

        assertLikeLive();
    }
}
