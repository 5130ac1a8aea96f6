package io.chunkroll.sinks.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.chunkroll.server.TestDatabase;
import java.sql.Connection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

/** The number of chunks as a metric. */
class ChunkWatchITCase {
    private final Map<String, Gauge<?>> gauges = new ConcurrentHashMap<>();

    private final UnregisteredMetricsGroup metrics = new UnregisteredMetricsGroup() {
        @Override
        public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
            gauges.put(name, gauge);
            return gauge;
        }
    };

    @Test
    void chunksAreCountedAsTheyComeAndPlainTablesHaveNone() throws Exception {
        try (TestDatabase database = TestDatabase.create();
                Connection connection = database.connect()) {
            ConnectionOptions options = new ConnectionOptions(database.url(), database.user(), database.password());
            database.execute("CREATE TABLE plain (time timestamptz NOT NULL)");
            database.execute("CREATE TABLE hyper (time timestamptz NOT NULL)");
            database.execute("SELECT create_hypertable('hyper', by_range('time', INTERVAL '1 day'))");
            TargetTable plain =
                    TargetTable.read(connection, new TableName("", "plain")).orElseThrow();
            TargetTable hyper =
                    TargetTable.read(connection, new TableName("", "hyper")).orElseThrow();

            assertThat(ChunkWatch.start(options, plain, 0, metrics)).isEmpty();
            assertThat(ChunkWatch.start(options, hyper, 1, metrics)).isEmpty();
            Optional<ChunkWatch> watch = ChunkWatch.start(options, hyper, 0, metrics);
            try {
                database.execute("INSERT INTO hyper VALUES ('2016-01-01'), ('2016-01-02')");
                await().until(() -> gauges.get(ChunkWatch.CHUNKS).getValue().equals(2L));
                database.execute("INSERT INTO hyper VALUES ('2016-01-03')");
                await().until(() -> gauges.get(ChunkWatch.CHUNKS).getValue().equals(3L));
            } finally {
                watch.orElseThrow().close();
            }
            await().until(() ->
                    database.count("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'chunkroll chunks'")
                            == 0);
        }
    }
}
