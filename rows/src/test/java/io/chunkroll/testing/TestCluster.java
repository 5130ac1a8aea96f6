package io.chunkroll.testing;

import java.time.Duration;
import java.util.function.Supplier;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.ResourceManagerOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.minicluster.RpcServiceSharing;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;

/** Flink clusters of one task manager for tests, which a machine that stands still for a while does not bring down. */
public final class TestCluster {
    /** Longer than any test may take: that a cluster is slow is no failure, and what hangs is ended by the test's own time limit. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** Suites wait for metrics. */
    private static final Duration METRICS_OF_SUITE = Duration.ofMillis(500);

    /** As many as suites count on. */
    private static final int SLOTS_OF_SUITE = 6;

    private TestCluster() {}

    public static MiniClusterExtension ofSlots(int slots) {
        return ofSlots(slots, Configuration::new);
    }

    /** @param more settings of Flink besides, asked for when the cluster starts */
    public static MiniClusterExtension ofSlots(int slots, Supplier<Configuration> more) {
        return new MiniClusterExtension(() -> builder(slots, more.get()).build());
    }

    /** For the suites that Flink tries its own connectors with. */
    public static MiniClusterResourceConfiguration ofSuite(Configuration more) {
        Configuration fetching =
                new Configuration().set(MetricOptions.METRIC_FETCHER_UPDATE_INTERVAL, METRICS_OF_SUITE);
        return builder(SLOTS_OF_SUITE, with(fetching, more))
                .setRpcServiceSharing(RpcServiceSharing.DEDICATED)
                .withHaLeadershipControl()
                .build();
    }

    private static MiniClusterResourceConfiguration.Builder builder(int slots, Configuration more) {
        return new MiniClusterResourceConfiguration.Builder()
                .setConfiguration(with(patience(), more))
                .setNumberTaskManagers(1)
                .setNumberSlotsPerTaskManager(slots);
    }

    private static Configuration with(Configuration first, Configuration second) {
        first.addAll(second);
        return first;
    }

    private static Configuration patience() {
        return new Configuration()
                .set(HeartbeatManagerOptions.HEARTBEAT_TIMEOUT, PATIENCE)
                .set(JobManagerOptions.SLOT_REQUEST_TIMEOUT, PATIENCE)
                .set(ResourceManagerOptions.STANDALONE_CLUSTER_STARTUP_PERIOD_TIME, PATIENCE)
                .set(TaskManagerOptions.SLOT_TIMEOUT, PATIENCE);
    }
}
