package io.chunkroll.sinks.suite;

import io.chunkroll.testing.TestCluster;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.testframe.environment.MiniClusterTestEnvironment;
import org.apache.flink.connector.testframe.external.ExternalContextFactory;
import org.apache.flink.connector.testframe.junit.annotations.TestContext;
import org.apache.flink.connector.testframe.junit.annotations.TestEnv;
import org.apache.flink.connector.testframe.junit.annotations.TestSemantics;
import org.apache.flink.connector.testframe.testsuites.SinkTestSuiteBase;
import org.apache.flink.core.execution.CheckpointingMode;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Flink's own suite for sinks, on a real server. It waits without end for what does not come, hence the time limit. */
@Timeout(120)
@ExtendWith(NoneSkipped.class)
abstract class SinkSuite extends SinkTestSuiteBase<String> {
    @TestEnv
    MiniClusterTestEnvironment cluster = new MiniClusterTestEnvironment(TestCluster.ofSuite(new Configuration()));

    @TestSemantics
    CheckpointingMode[] guarantee;

    @TestContext
    ExternalContextFactory<SuiteTable> table;

    /** @param maker makes the sink that is tried */
    SinkSuite(CheckpointingMode guarantee, SuiteTable.Maker maker) {
        this.guarantee = new CheckpointingMode[] {guarantee};
        table = test -> new SuiteTable(maker);
    }
}
