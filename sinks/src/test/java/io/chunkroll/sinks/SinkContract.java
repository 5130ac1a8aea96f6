package io.chunkroll.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.chunkroll.rows.ParseOptions;
import io.chunkroll.rows.RowEncoder;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleTypeInfo;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.server.TestDatabase;
import io.chunkroll.sinks.metrics.SinkMetrics;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TargetTable;
import io.chunkroll.testing.TestCluster;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.TimeZone;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every sink promises, tried in a Flink cluster against a real server. */
@Timeout(120)
abstract class SinkContract {
    private static InMemoryReporter reporter;

    @RegisterExtension
    static final MiniClusterExtension CLUSTER = TestCluster.ofSlots(2, SinkContract::reporting);

    /** With a reporter of its own, which ends with the cluster. */
    private static Configuration reporting() {
        reporter = InMemoryReporter.createWithRetainedMetrics();
        return reporter.addToConfiguration(new Configuration());
    }

    TestDatabase database;
    ConnectionOptions options;

    /** What a sink is asked for. */
    record Batching(int rows, long bytes, Duration age, boolean sorted) {
        static final Duration LONG = Duration.ofMinutes(10);

        static Batching ofRows(int rows) {
            return new Batching(rows, Long.MAX_VALUE, LONG, true);
        }
    }

    abstract Sink<Tuple> sink(TargetTable table, TableDescription columns, Batching batching);

    @BeforeEach
    void open() {
        database = TestDatabase.create();
        options = Fleet.options(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static StreamExecutionEnvironment environment(int parallelism) {
        Configuration configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment(configuration)
                .setParallelism(parallelism);
        environment.getConfig().enableObjectReuse();
        return environment;
    }

    private static DataStream<Tuple> fleet(
            StreamExecutionEnvironment environment, long rows, MapFunction<Long, Tuple> encoder) {
        return environment
                .fromSource(new NumberSequenceSource(0, rows - 1), WatermarkStrategy.noWatermarks(), "numbers")
                .map(encoder)
                .returns(TupleTypeInfo.INSTANCE);
    }

    private static final class FleetRows implements MapFunction<Long, Tuple> {
        private static final long serialVersionUID = 1L;
        private transient TupleWriter writer;

        @Override
        public Tuple map(Long n) {
            if (writer == null) {
                writer = new TupleWriter(Fleet.COLUMNS);
            }
            return Fleet.row(writer, n);
        }
    }

    /** Loads the rows to the end; returns the job, whose metrics stay. */
    JobID load(TargetTable table, long rows, int parallelism, Batching batching, boolean checkpoints) throws Exception {
        JobClient job = start(table, rows, parallelism, batching, checkpoints);
        job.getJobExecutionResult().get(100, TimeUnit.SECONDS);
        return job.getJobID();
    }

    JobClient start(TargetTable table, long rows, int parallelism, Batching batching, boolean checkpoints)
            throws Exception {
        StreamExecutionEnvironment environment = environment(parallelism);
        if (checkpoints) {
            environment.enableCheckpointing(50);
        }
        fleet(environment, rows, new FleetRows()).rebalance().sinkTo(sink(table, Fleet.COLUMNS, batching));
        return environment.executeAsync();
    }

    /** Waits until nobody but the question itself is connected. */
    void awaitNoConnections() {
        await().until(() -> Fleet.one(
                        options,
                        "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                                + " AND application_name LIKE 'chunkroll %'")
                .equals("0"));
    }

    /** The metrics of this name of all writers. */
    static List<Metric> metrics(JobID job, String name) {
        return reporter.findOperatorMetricGroups(job, "Writer").stream()
                .map(group -> reporter.getMetricsByGroup(group).get(name))
                .filter(Objects::nonNull)
                .toList();
    }

    /** The writers' counters of this name, summed up. */
    static long counter(JobID job, String name) {
        return metrics(job, name).stream()
                .mapToLong(metric -> ((Counter) metric).getCount())
                .sum();
    }

    @ParameterizedTest
    @CsvSource({
        "PLAIN, 1",
        "PLAIN, 2",
        "HYPERTABLE, 1",
        "HYPERTABLE, 2",
        "PARTITIONED, 1",
        "PARTITIONED, 2",
    })
    void loadsEachRowOnceAndCountsIt(Layout layout, int parallelism) throws Exception {
        TargetTable table = Fleet.create(options, layout);
        assertThat(table.layout()).isEqualTo(layout);
        JobID job = load(table, 20_000, parallelism, Batching.ofRows(700), true);
        Fleet.assertHolds(options, 20_000);
        assertThat(counter(job, "numRecordsSend")).isEqualTo(20_000);
        assertThat(counter(job, SinkMetrics.COMMITTED_ROWS)).isEqualTo(20_000);
        assertThat(counter(job, "numRecordsOut")).isEqualTo(20_000);
        assertThat(counter(job, "numRecordsSendErrors")).isZero();
        assertThat(counter(job, "numBytesSend")).isBetween(20_000 * 40L, 20_000 * 60L);
        assertThat(counter(job, SinkMetrics.FLUSHES)).isGreaterThanOrEqualTo(28);
        assertThat(metrics(job, SinkMetrics.FLUSH_LATENCY)).hasSize(parallelism);
        if (layout != Layout.PLAIN) {
            assertThat(database.count("SELECT count(DISTINCT tableoid) FROM fleet"))
                    .isEqualTo(4);
        }
    }

    @Test
    void twoWritersMakeThePartitionsTheyShare() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PARTITIONED);
        load(table, 60_000, 2, Batching.ofRows(50), false);
        Fleet.assertHolds(options, 60_000);
        assertThat(database.count("SELECT count(*) FROM pg_inherits WHERE inhparent = 'fleet'::regclass"))
                .isEqualTo(10);
    }

    /** Rows of whose time no interval can be told go where the server has a place for them. */
    @Test
    void rowsWithoutATimeOrWithAnInfiniteOneNeedNoPartition() throws Exception {
        database.execute("CREATE TABLE fleet (time timestamptz, n bigint) PARTITION BY RANGE (time)");
        database.execute("CREATE TABLE other PARTITION OF fleet DEFAULT");
        loadTexts(
                "fleet",
                new String[] {"infinity", "1"},
                new String[] {"-infinity", "2"},
                new String[] {null, "3"},
                new String[] {"2016-01-03 00:00+00", "4"});
        assertThat(database.one("SELECT string_agg(tableoid::regclass || ' ' || n, ', ' ORDER BY n) FROM fleet"))
                .isEqualTo("other 1, other 2, other 3, \"fleet_p20160103T000000\" 4");
    }

    @Test
    void aBatchMayBeOneRow() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        load(table, 50, 1, Batching.ofRows(1), false);
        Fleet.assertHolds(options, 50);
        assertThat(database.count("SELECT count(DISTINCT xmin::text) FROM fleet"))
                .isEqualTo(50);
    }

    @Test
    void aBatchEndsAtItsLimitOfRows() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        load(table, 1_050, 1, Batching.ofRows(100), false);
        Fleet.assertHolds(options, 1_050);
        assertThat(database.one("SELECT string_agg(rows || '×' || batches, ' ' ORDER BY rows) FROM"
                        + " (SELECT rows, count(*) AS batches FROM"
                        + " (SELECT count(*) AS rows FROM fleet GROUP BY xmin::text) b GROUP BY rows) c"))
                .isEqualTo("50×1 100×10");
    }

    /** Holds back the last row until it is released. */
    private static final class Stall implements MapFunction<Long, Tuple> {
        private static final long serialVersionUID = 1L;
        private static volatile CountDownLatch released;

        private final FleetRows rows = new FleetRows();
        private final long last;

        private Stall(long last) {
            this.last = last;
        }

        @Override
        public Tuple map(Long n) throws InterruptedException {
            if (n == last) {
                released.await();
            }
            return rows.map(n);
        }
    }

    @Test
    void rowsDoNotWaitForOthersLongerThanTheAgeLimit() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        Stall.released = new CountDownLatch(1);
        StreamExecutionEnvironment environment = environment(1);
        fleet(environment, 1_001, new Stall(1_000))
                .rebalance()
                .sinkTo(sink(table, Fleet.COLUMNS, new Batching(600, Long.MAX_VALUE, Duration.ofMillis(100), true)))
                .disableChaining();
        JobClient job = environment.executeAsync();
        try {
            await().atMost(Duration.ofSeconds(60)).until(() -> database.count("SELECT count(*) FROM fleet") == 1_000);
            await().atMost(Duration.ofSeconds(10)).until(() -> counter(job.getJobID(), "numRecordsSend") == 1_000);
        } finally {
            Stall.released.countDown();
        }
        job.getJobExecutionResult().get(60, TimeUnit.SECONDS);
        Fleet.assertHolds(options, 1_001);
    }

    @Test
    void aRefusedBatchFailsTheJobInPostgresWords() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        database.execute("ALTER TABLE fleet ADD CONSTRAINT not_150 CHECK (n <> 150)");
        JobClient job = start(table, 1_000, 1, Batching.ofRows(100), true);
        assertThatThrownBy(() -> job.getJobExecutionResult().get(100, TimeUnit.SECONDS))
                .hasStackTraceContaining("violates check constraint \"not_150\"");
        assertThat(counter(job.getJobID(), "numRecordsSendErrors")).isEqualTo(100);
        awaitNoConnections();
        assertThat(database.count("SELECT count(*) FROM fleet WHERE n >= 150")).isZero();
    }

    /** Texts of one row's fields; null is NULL. */
    private record TextRows(TableDescription table, String[][] rows) implements MapFunction<Long, Tuple>, Serializable {
        @Override
        public Tuple map(Long n) throws Exception {
            RowEncoder encoder = new RowEncoder(table, ParseOptions.DEFAULT);
            encoder.begin();
            for (String text : rows[Math.toIntExact(n)]) {
                if (text == null) {
                    encoder.nullField();
                } else {
                    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                    encoder.field(bytes, 0, bytes.length);
                }
            }
            return encoder.end();
        }
    }

    void loadTexts(String table, String[]... rows) throws Exception {
        TargetTable target = Fleet.read(options, table);
        StreamExecutionEnvironment environment = environment(1);
        fleet(environment, rows.length, new TextRows(target.columns(), rows))
                .sinkTo(sink(target, target.columns(), Batching.ofRows(3)));
        environment.execute();
    }

    @Test
    void everyTypeAndEveryNullArrives() throws Exception {
        database.execute("CREATE DOMAIN percent AS numeric(5,2) CHECK (value BETWEEN 0 AND 100)");
        database.execute("""
                CREATE TABLE wide (id int, b bool, i2 smallint, i8 bigint, f4 real, f8 double precision, nu numeric,
                    nps numeric(6,2), tx text, vc varchar(10), ch char(5), da date, ts timestamp, tz timestamptz, uu uuid,
                    js json, jb jsonb, dom percent)""");
        String[] first = {
            "1",
            "t",
            "-32768",
            "9223372036854775807",
            "1.1",
            "0.1",
            "123456789012345678901234567890.5",
            "1.005",
            "zürich\t\\ \"",
            "0123456789",
            "ab",
            "2016-02-29",
            "2016-01-03 12:34:56.123456",
            "2016-01-03 12:34:56.123456+05:30",
            "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
            "{\"a\": 1 }",
            "{\"a\": [1, \"ä\"]}",
            "99.5"
        };
        String[] nulls = new String[first.length];
        nulls[0] = "2";
        String[] odd = {
            "3",
            "f",
            "32767",
            "-9223372036854775808",
            "NaN",
            "-Infinity",
            "NaN",
            null,
            "",
            "",
            "",
            "infinity",
            "-infinity",
            "infinity",
            null,
            "null",
            "[]",
            "0"
        };
        String[] early = {
            "4",
            null,
            "0",
            "0",
            "-0",
            "5e-324",
            "-0.000",
            "-9999.99",
            "\\N",
            "NULL",
            "  x",
            "4713-01-01 BC",
            "0044-03-15 12:00:00 BC",
            "0001-01-01 00:00:00.000001+00",
            "00000000-0000-0000-0000-000000000000",
            "\"\"",
            "1e3",
            "100"
        };
        String[] late = {
            "5",
            null,
            "0",
            "0",
            "3.4028235e38",
            "1.7976931348623157e308",
            "Infinity",
            "9999.99",
            "a\nb\r\nc",
            "ä",
            "ä日😀",
            "5874897-12-31",
            "294276-12-31 23:59:59.999999",
            "12345-06-07 08:09:10+00",
            null,
            "{}",
            "{}",
            "0.01"
        };
        loadTexts("wide", first, nulls, odd, early, late);
        // The server's own reading of the same texts.
        database.execute("CREATE TABLE expected (LIKE wide)");
        for (String[] row : new String[][] {first, nulls, odd, early, late}) {
            StringBuilder values = new StringBuilder();
            for (String text : row) {
                values.append(values.isEmpty() ? "" : ", ")
                        .append(text == null ? "NULL" : '\'' + text.replace("'", "''") + '\'');
            }
            database.execute("SET TimeZone TO 'UTC'; INSERT INTO expected VALUES (" + values + ")");
        }
        assertThat(database.one("SELECT string_agg(w::text || ' is not ' || e::text, E'\\n')"
                        + " FROM wide w FULL JOIN expected e USING (id) WHERE w::text IS DISTINCT FROM e::text"))
                .isNull();
        assertThat(database.count("SELECT count(*) FROM wide")).isEqualTo(5);
    }

    @Test
    void aTableWithATypeWithoutBinaryFormIsLoadedAsText() throws Exception {
        database.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')");
        database.execute("""
                CREATE TABLE odd (id int, tz timestamptz, da date, tags text[], spans int4range, feeling mood, ip inet, tx text,
                    gap interval, raw bytea)""");
        TimeZone before = TimeZone.getDefault();
        // The driver hands the JVM's zone to the server's session, where it must not count.
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kolkata"));
        try {
            loadTexts(
                    "odd",
                    new String[] {
                        "1",
                        "2016-01-03 12:00",
                        "2016-01-03",
                        "{a,\"b\\\\c\",NULL,\"d\te\"}",
                        "[1,5)",
                        "ok",
                        "10.0.0.0/8",
                        "tab\t back\\slash\nnew\r line \\N \\.",
                        "1 day 02:00",
                        "\\xdeadbeef"
                    },
                    new String[] {"2", null, null, null, null, null, null, null, null, null},
                    new String[] {"3", "infinity", "epoch", "{}", "empty", "sad", "::1", "", "0", ""},
                    new String[] {
                        "4",
                        "0044-03-15 12:00:00+00 BC",
                        "5874897-12-31",
                        "{{1,2},{3,4}}",
                        null,
                        "ok",
                        null,
                        "ä日😀",
                        null,
                        null
                    });
        } finally {
            TimeZone.setDefault(before);
        }
        assertThat(database.one("SELECT string_agg(o::text, E'\\n' ORDER BY id) FROM odd o"))
                .isEqualTo(database.one("""
                SELECT string_agg(o::text, E'\\n' ORDER BY id) FROM (VALUES
                (1, timestamptz '2016-01-03 12:00+00', date '2016-01-03', ARRAY['a', E'b\\\\c', NULL, E'd\\te'],
                    int4range '[1,5)', mood 'ok', inet '10.0.0.0/8', E'tab\\t back\\\\slash\\nnew\\r line \\\\N \\\\.',
                    interval '1 day 02:00', bytea '\\xdeadbeef'),
                (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
                (3, 'infinity', '1970-01-01', '{}', 'empty', 'sad', '::1', '', '0', ''),
                (4, '0044-03-15 12:00:00+00 BC', '5874897-12-31', '{{1,2},{3,4}}', NULL, 'ok', NULL, 'ä日😀', NULL, NULL))
                o (id, tz, da, tags, spans, feeling, ip, tx, gap, raw)"""));
    }
}
