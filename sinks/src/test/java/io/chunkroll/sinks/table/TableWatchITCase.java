package io.chunkroll.sinks.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.chunkroll.server.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is to be seen of a table as metrics. */
class TableWatchITCase {
    private final Map<String, Gauge<?>> gauges = new ConcurrentHashMap<>();
    private TestDatabase database;
    private ConnectionOptions options;
    private TargetTable hyper;

    private final UnregisteredMetricsGroup metrics = new UnregisteredMetricsGroup() {
        @Override
        public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
            gauges.put(name, gauge);
            return gauge;
        }
    };

    @BeforeEach
    void makeTable() throws SQLException {
        database = TestDatabase.create();
        options = new ConnectionOptions(database.url(), database.user(), database.password());
        database.execute("CREATE TABLE hyper (time timestamptz NOT NULL)");
        database.execute("SELECT create_hypertable('hyper', by_range('time', INTERVAL '1 day'))");
        hyper = table("hyper");
    }

    @AfterEach
    void dropDatabase() throws SQLException {
        database.close();
    }

    private TargetTable table(String name) throws SQLException {
        try (Connection connection = database.connect()) {
            return TargetTable.read(connection, new TableName("", name)).orElseThrow();
        }
    }

    private Optional<TableWatch> start(TargetTable table, int subtask) {
        return TableWatch.start(options, table, subtask, metrics);
    }

    private double value(String name) {
        return ((Number) gauges.get(name).getValue()).doubleValue();
    }

    private long watching() throws SQLException {
        return database.count("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'chunkroll watch'");
    }

    @Test
    void chunksAreCountedAsTheyComeByTheFirstSubtask() throws Exception {
        database.execute("INSERT INTO hyper VALUES ('2016-01-01'), ('2016-01-02')");
        assertThat(start(hyper, 1)).isEmpty();
        assertThat(gauges).isEmpty();
        try (TableWatch watch = start(hyper, 0).orElseThrow()) {
            await().until(() -> gauges.get(TableWatch.CHUNKS).getValue().equals(2L));
            assertThat(value(TableWatch.LAST_CHUNK_ROLL_TIME)).isZero();

            long before = System.currentTimeMillis();
            database.execute("INSERT INTO hyper VALUES ('2016-01-03')");
            await().until(() -> gauges.get(TableWatch.CHUNKS).getValue().equals(3L));
            assertThat(value(TableWatch.LAST_CHUNK_ROLL_TIME))
                    .isBetween((double) before, (double) System.currentTimeMillis());
            assertThat(value(TableWatch.CHUNK_WAITS)).isZero();
            assertThat(watch).isNotNull();
        }
        await().until(() -> watching() == 0);
    }

    @Test
    void aPlainTableHasSizesAndALogButNoChunks() throws Exception {
        database.execute("CREATE TABLE plain (time timestamptz PRIMARY KEY)");
        database.execute("INSERT INTO plain SELECT generate_series('2016-01-01', '2016-01-02', INTERVAL '10 s')");
        TargetTable plain = table("plain");
        try (TableWatch watch = start(plain, 0).orElseThrow();
                Connection connection = database.connect()) {
            await().until(() -> value(TableWatch.INDEX_BYTES) > 0);
            assertThat(value(TableWatch.TABLE_BYTES)).isEqualTo((double) plain.tableBytes(connection));
            assertThat(value(TableWatch.INDEX_BYTES)).isEqualTo((double) plain.indexBytes(connection));
            assertThat(gauges).containsOnlyKeys(TableWatch.WAL_BYTES, TableWatch.TABLE_BYTES, TableWatch.INDEX_BYTES);

            double wal = value(TableWatch.WAL_BYTES);
            database.execute("INSERT INTO plain SELECT generate_series('2017-01-01', '2017-01-02', INTERVAL '10 s')");
            await().until(() -> value(TableWatch.WAL_BYTES) > wal + 8_000 * Long.BYTES);
            assertThat(watch).isNotNull();
        }
    }

    @Test
    void whoWaitsForAChunkIsSeen() throws Exception {
        try (TableWatch watch = start(hyper, 0).orElseThrow();
                Connection first = database.connect();
                Connection second = database.connect();
                Connection loader = database.connect()) {
            first.setAutoCommit(false);
            execute(first, "INSERT INTO hyper VALUES ('2016-01-01')");
            Thread waiting = new Thread(() -> execute(second, "INSERT INTO hyper VALUES ('2016-01-02')"));
            waiting.start();
            await().until(() -> value(TableWatch.CHUNK_WAITS) == 1);

            loader.setAutoCommit(false);
            new ChunkRanges(hyper).lock(loader);
            Thread behind = new Thread(() -> {
                try (Connection third = database.connect()) {
                    new ChunkRanges(hyper).lock(third);
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            behind.start();
            await().until(() -> value(TableWatch.CHUNK_WAITS) == 2);

            loader.commit();
            behind.join();
            first.commit();
            waiting.join();
            await().until(() -> value(TableWatch.CHUNK_WAITS) == 0);
            await().until(() -> value(TableWatch.CHUNKS) == 2);
            assertThat(watch).isNotNull();
        }
    }

    @Test
    void aTableThatSomebodyLocksIsStillWatched() throws Exception {
        database.execute("INSERT INTO hyper VALUES ('2016-01-01')");
        try (Connection locker = database.connect();
                Connection writer = database.connect()) {
            locker.setAutoCommit(false);
            execute(locker, "LOCK TABLE hyper IN ACCESS EXCLUSIVE MODE");
            Thread waiting = new Thread(() -> execute(writer, "INSERT INTO hyper VALUES ('2016-01-01')"));
            waiting.start();
            try (TableWatch watch = start(hyper, 0).orElseThrow()) {
                await().until(() -> value(TableWatch.CHUNK_WAITS) == 1 && value(TableWatch.WAL_BYTES) > 0);
                await().until(() -> value(TableWatch.CHUNKS) == 1);
                assertThat(value(TableWatch.TABLE_BYTES)).isNaN();
                locker.rollback();
                waiting.join();
                await().atMost(Duration.ofSeconds(30)).until(() -> value(TableWatch.TABLE_BYTES) > 0);
                assertThat(watch).isNotNull();
            }
        }
    }

    private static void execute(Connection connection, String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatIsNotToldIsNoNumberUntilItIsToldAgain() throws Exception {
        database.execute("INSERT INTO hyper VALUES ('2016-01-01')");
        try (TableWatch watch = start(hyper, 0).orElseThrow()) {
            await().until(() -> value(TableWatch.CHUNKS) == 1 && value(TableWatch.TABLE_BYTES) > 0);

            database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE application_name = 'chunkroll watch'");
            await().until(() -> Double.isNaN(value(TableWatch.WAL_BYTES)));
            await().until(() -> value(TableWatch.WAL_BYTES) > 0 && value(TableWatch.CHUNKS) == 1);
            assertThat(watching()).isEqualTo(1);
            assertThat(watch).isNotNull();
        }
    }

    @Test
    void aServerThatIsNotThereLeavesEverythingUnknown() throws Exception {
        ConnectionOptions nowhere = new ConnectionOptions("jdbc:postgresql://127.0.0.1:1/nowhere", "nobody", null);
        try (TableWatch watch = TableWatch.start(nowhere, hyper, 0, metrics).orElseThrow()) {
            TimeUnit.SECONDS.sleep(2);
            assertThat(value(TableWatch.WAL_BYTES)).isNaN();
            assertThat(value(TableWatch.CHUNKS)).isNaN();
            assertThat(value(TableWatch.LAST_CHUNK_ROLL_TIME)).isZero();
            assertThat(watch).isNotNull();
        }
    }
}
