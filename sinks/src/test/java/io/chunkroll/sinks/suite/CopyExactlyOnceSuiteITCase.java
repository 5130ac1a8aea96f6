package io.chunkroll.sinks.suite;

import io.chunkroll.sinks.copy.BatchLimits;
import io.chunkroll.sinks.copy.CopyOptions;
import io.chunkroll.sinks.copy.ExactlyOnceCopySink;
import java.time.Duration;
import org.apache.flink.core.execution.CheckpointingMode;

class CopyExactlyOnceSuiteITCase extends SinkSuite {
    private static final BatchLimits LIMITS = new BatchLimits(100, 1_000_000, Duration.ofMinutes(10));

    CopyExactlyOnceSuiteITCase() {
        super(
                CheckpointingMode.EXACTLY_ONCE,
                (server, table, columns) -> new ExactlyOnceCopySink<>(
                        new CopyOptions(server, LIMITS, true, Duration.ofSeconds(30), true, null),
                        table,
                        columns,
                        SuiteTable::encode,
                        table.name().schema()));
    }
}
