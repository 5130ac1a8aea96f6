package io.chunkroll.sinks.suite;

import io.chunkroll.sinks.copy.BatchLimits;
import io.chunkroll.sinks.copy.CopyOptions;
import io.chunkroll.sinks.copy.CopySink;
import java.time.Duration;
import org.apache.flink.core.execution.CheckpointingMode;

class CopyAtLeastOnceSuiteITCase extends SinkSuite {
    private static final BatchLimits LIMITS = new BatchLimits(100, 1_000_000, Duration.ofMinutes(10));

    CopyAtLeastOnceSuiteITCase() {
        super(
                CheckpointingMode.AT_LEAST_ONCE,
                (server, table, columns) -> new CopySink<>(
                        new CopyOptions(server, LIMITS, true, Duration.ofSeconds(30), true, null),
                        table,
                        columns,
                        SuiteTable::encode));
    }
}
