package io.chunkroll.sources.suite;

import io.chunkroll.rows.Tuple;
import io.chunkroll.testing.TestCluster;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.source.reader.SourceReaderOptions;
import org.apache.flink.connector.testframe.environment.MiniClusterTestEnvironment;
import org.apache.flink.connector.testframe.external.ExternalContextFactory;
import org.apache.flink.connector.testframe.external.source.DataStreamSourceExternalContext;
import org.apache.flink.connector.testframe.junit.annotations.TestContext;
import org.apache.flink.connector.testframe.junit.annotations.TestEnv;
import org.apache.flink.connector.testframe.junit.annotations.TestSemantics;
import org.apache.flink.connector.testframe.testsuites.SourceTestSuiteBase;
import org.apache.flink.core.execution.CheckpointingMode;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Flink's own suite for sources, every row exactly once. It waits without end for what does not come, hence the time limit. */
@Timeout(120)
@ExtendWith(NoneSkipped.class)
public abstract class SourceSuite extends SourceTestSuiteBase<Tuple> {
    @TestEnv
    MiniClusterTestEnvironment cluster = new MiniClusterTestEnvironment(TestCluster.ofSuite(new Configuration()
            // For threads that wait at the end of what has been written.
            .set(SourceReaderOptions.SOURCE_READER_CLOSE_TIMEOUT, 100L)));

    @TestSemantics
    CheckpointingMode[] guarantee = {CheckpointingMode.EXACTLY_ONCE};

    @TestContext
    ExternalContextFactory<DataStreamSourceExternalContext<Tuple>> context;

    /** @param context makes what one test reads from */
    protected SourceSuite(ExternalContextFactory<DataStreamSourceExternalContext<Tuple>> context) {
        this.context = context;
    }
}
