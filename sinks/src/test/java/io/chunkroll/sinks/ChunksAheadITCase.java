package io.chunkroll.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleTypeInfo;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.server.PostgresServer;
import io.chunkroll.sinks.copy.BatchLimits;
import io.chunkroll.sinks.copy.CopyOptions;
import io.chunkroll.sinks.copy.CopySink;
import io.chunkroll.sinks.copy.ExactlyOnceCopySink;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TargetTable;
import io.chunkroll.testing.TestCluster;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many writers that need new chunks all the time do not stand in each other's way, and nobody sees how chunks are made. */
@Timeout(180)
class ChunksAheadITCase {
    private static final int WRITERS = 16;
    /** A row every second of rows' time and a writer's pause of a millisecond a row: a chunk of ten minutes about every half second. */
    private static final int ROWS = 72_000;

    @RegisterExtension
    static final MiniClusterExtension CLUSTER = TestCluster.ofSlots(WRITERS);

    private static PostgresServer server;

    private ConnectionOptions connection;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.startPrivate(Map.of("max_connections", "150"));
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void clear() throws SQLException {
        connection = Fleet.options(server);
        Fleet.execute(connection, "DROP TABLE IF EXISTS fleet");
        Fleet.execute(connection, "DROP TABLE IF EXISTS seen");
        Fleet.execute(connection, "DROP FUNCTION IF EXISTS see");
    }

    private static final class Rows implements MapFunction<Long, Tuple> {
        private static final long serialVersionUID = 1L;
        private transient TupleWriter writer;
        private int seen;

        @Override
        public Tuple map(Long n) throws InterruptedException {
            if (writer == null) {
                writer = new TupleWriter(Fleet.COLUMNS);
            }
            if (++seen % 50 == 0) {
                Thread.sleep(1);
            }
            return Fleet.row(writer, n);
        }
    }

    private static void load(Sink<Tuple> sink) throws Exception {
        Configuration configuration = new Configuration().set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        environment.setParallelism(1).enableCheckpointing(500);
        environment
                .fromSource(new NumberSequenceSource(0, ROWS - 1), WatermarkStrategy.noWatermarks(), "numbers")
                .map(new Rows())
                .returns(TupleTypeInfo.INSTANCE)
                .rebalance()
                .sinkTo(sink)
                .setParallelism(WRITERS);
        environment.executeAsync().getJobExecutionResult().get(150, TimeUnit.SECONDS);
    }

    private CopyOptions options() {
        BatchLimits limits = new BatchLimits(100, Long.MAX_VALUE, Duration.ofMillis(200));
        return new CopyOptions(connection, limits, true, Duration.ofSeconds(30), true, Fleet.CHUNK);
    }

    @ParameterizedTest
    @CsvSource({"HYPERTABLE, true", "HYPERTABLE, false", "PARTITIONED, true"})
    void sixteenWritersAndAChunkASecond(Layout layout, boolean exactlyOnce) throws Exception {
        TargetTable table = Fleet.create(connection, layout);
        load(
                exactlyOnce
                        ? ExactlyOnceCopySink.ofTuples(options(), table, Fleet.COLUMNS, "many")
                        : CopySink.ofTuples(options(), table, Fleet.COLUMNS));
        Fleet.assertHolds(connection, ROWS);
        assertThat(Fleet.one(connection, "SELECT count(*) FROM pg_inherits WHERE inhparent = 'fleet'::regclass"))
                .isEqualTo("12");
        assertThat(Fleet.one(connection, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
                .isEqualTo("0");
    }

    /** Nothing but the rows themselves sets off a trigger, and a row that is refused makes no chunk for the others. */
    @Test
    void makingAChunkSetsNoTriggerOff() throws Exception {
        TargetTable table = Fleet.create(connection, Layout.HYPERTABLE);
        Fleet.execute(connection, "CREATE TABLE seen (n bigint)");
        Fleet.execute(
                connection,
                "CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS"
                        + " $$ BEGIN INSERT INTO seen VALUES (new.n); RETURN new; END $$");
        Fleet.execute(connection, "CREATE TRIGGER see BEFORE INSERT ON fleet FOR EACH ROW EXECUTE FUNCTION see()");
        load(ExactlyOnceCopySink.ofTuples(options(), table, Fleet.COLUMNS, "seen"));
        Fleet.assertHolds(connection, ROWS);
        assertThat(Fleet.one(connection, "SELECT count(*) FROM seen")).isEqualTo(String.valueOf(ROWS));
    }
}
