package io.chunkroll.sources.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleTypeInfo;
import io.chunkroll.testing.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(180)
class FleetSourceITCase {
    private static final int PARALLELISM = 2;

    @RegisterExtension
    private static final MiniClusterExtension CLUSTER = TestCluster.ofSlots(PARALLELISM);

    @Test
    void afterAFailureEveryRowIsThereOnce() throws Exception {
        // The rate leaves some seconds in which to take a checkpoint and fail.
        FleetOptions fleet = Fleets.paced(60_017, 100, 12_000);

        List<Tuple> rows = run(fleet, true);

        assertThat(CollectingOperator.hasFailed())
                .as("The failure came before the end")
                .isTrue();
        assertThat(Rows.sorted(rows)).isEqualTo(Rows.sorted(Rows.all(fleet)));
    }

    @Test
    void readersThatWaitForEachOtherComeToTheEnd() throws Exception {
        // More devices than the lead has rows: each step is a rendezvous.
        FleetOptions fleet = Fleets.cpu(310_000, 60_000);

        List<Tuple> rows = run(fleet, false);

        assertThat(Rows.sorted(rows)).isEqualTo(Rows.sorted(Rows.all(fleet)));
    }

    @Test
    void moreReadersThanDevicesComeToTheEnd() throws Exception {
        FleetOptions fleet = Fleets.cpu(1_000, 1);

        assertThat(run(fleet, false)).isEqualTo(Rows.all(fleet));
    }

    private static List<Tuple> run(FleetOptions fleet, boolean failOnce) throws Exception {
        CollectingOperator.reset(failOnce);
        Configuration configuration = new Configuration()
                .set(PipelineOptions.OBJECT_REUSE, true)
                .set(PipelineOptions.GENERIC_TYPES, false)
                .set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(100))
                .set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay")
                .set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1)
                .set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        environment.setParallelism(PARALLELISM);
        environment
                .fromSource(new FleetSource(fleet), WatermarkStrategy.noWatermarks(), "fleet")
                .keyBy(Tuple::keyHash)
                .transform("collect", TupleTypeInfo.INSTANCE, new CollectingOperator());
        environment.execute();
        return new ArrayList<>(CollectingOperator.collected());
    }
}
