package io.chunkroll.job.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class FailuresTest {
    /** As a cluster tells it: the text of a stack trace. */
    @Test
    void aTraceIsExplainedByTheCauseThatIsWrittenForTheUser() {
        String trace = """
                org.apache.flink.runtime.JobException: Recovery is suppressed
                \tat org.apache.flink.Some.method(Some.java:1)
                Caused by: io.chunkroll.sinks.copy.CopyException: Table a cannot take batch 3:
                  of 5 rows
                \tat io.chunkroll.Other.method(Other.java:2)
                \t... 5 more
                Caused by: org.postgresql.util.PSQLException: no
                """;

        assertThat(Failures.explainTrace(trace)).isEqualTo("Table a cannot take batch 3: | of 5 rows");
        assertThat(
                        Failures.explainTrace(
                                "java.lang.Error: one\n\tat a.B.c(D.java:1)\nCaused by: java.io.IOException: two\n\t... 3 more"))
                .isEqualTo("java.io.IOException: two");
    }

    @Test
    void theReasonOfASourceThatSpokeToAFailedTaskIsNotTheTrueOne() {
        String lost = """
                org.apache.flink.util.FlinkException: An OperatorEvent from an OperatorCoordinator to a task was lost.
                \tat org.apache.flink.Some.method(Some.java:1)
                Caused by: org.apache.flink.runtime.operators.coordination.TaskNotRunningException: Task is not running, but in state FAILED
                \t... 5 more
                """;
        String refused = "io.chunkroll.sinks.copy.CopyException: Table a cannot take batch 3\n\tat a.B.c(D.java:1)\n";

        assertThat(Failures.explainTraces(List.of(lost, refused))).contains("Table a cannot take batch 3");
        assertThat(Failures.explainTraces(List.of(lost))).get().asString().contains("Task is not running");
        assertThat(Failures.explainTraces(List.of())).isEmpty();
    }
}
