package io.chunkroll.sources.suite;

import io.chunkroll.rows.Tuple;
import java.time.Duration;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.connector.base.source.reader.SourceReaderOptions;
import org.apache.flink.connector.testframe.environment.MiniClusterTestEnvironment;
import org.apache.flink.connector.testframe.external.ExternalContextFactory;
import org.apache.flink.connector.testframe.external.source.DataStreamSourceExternalContext;
import org.apache.flink.connector.testframe.junit.annotations.TestContext;
import org.apache.flink.connector.testframe.junit.annotations.TestEnv;
import org.apache.flink.connector.testframe.junit.annotations.TestSemantics;
import org.apache.flink.connector.testframe.testsuites.SourceTestSuiteBase;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.runtime.minicluster.RpcServiceSharing;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Flink's own suite for sources, every row exactly once. It waits without end for what does not come, hence the time limit. */
@Timeout(120)
@ExtendWith(NoneSkipped.class)
public abstract class SourceSuite extends SourceTestSuiteBase<Tuple> {
    private static final int SLOTS = 6;

    @TestEnv
    MiniClusterTestEnvironment cluster = new MiniClusterTestEnvironment(new MiniClusterResourceConfiguration.Builder()
            .setConfiguration(new Configuration()
                    .set(MetricOptions.METRIC_FETCHER_UPDATE_INTERVAL, Duration.ofMillis(500))
                    // For threads that wait at the end of what has been written.
                    .set(SourceReaderOptions.SOURCE_READER_CLOSE_TIMEOUT, 100L))
            .setNumberTaskManagers(1)
            .setNumberSlotsPerTaskManager(SLOTS)
            .setRpcServiceSharing(RpcServiceSharing.DEDICATED)
            .withHaLeadershipControl()
            .build());

    @TestSemantics
    CheckpointingMode[] guarantee = {CheckpointingMode.EXACTLY_ONCE};

    @TestContext
    ExternalContextFactory<DataStreamSourceExternalContext<Tuple>> context;

    /** @param context makes what one test reads from */
    protected SourceSuite(ExternalContextFactory<DataStreamSourceExternalContext<Tuple>> context) {
        this.context = context;
    }
}
