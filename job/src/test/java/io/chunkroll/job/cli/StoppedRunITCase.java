package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Ctrl-C: what was read is committed, the run folder is written, and nothing is left running. */
final class StoppedRunITCase extends LoadScenario {
    /** The rows that the stop would commit are refused: they are not in the table, and the user is told. */
    @Test
    void aStopThatFailsIsAFailure() throws IOException, InterruptedException {
        Path run = folder.resolve("run");
        try (CommandProcess command = start(
                "run",
                "source.rows 0",
                "source.rate 1000",
                "sink.batch.rows 1000000",
                "sink.batch.age 1 h",
                "job.checkpoint-interval 1 h")) {
            await().atMost(Duration.ofMinutes(2)).until(() -> command.output().contains("rows/s (overall)"));
            database.execute("ALTER TABLE cpu ADD CONSTRAINT no_rows CHECK (false) NOT VALID");

            command.signal("INT");

            assertThat(command.waitFor()).as(command.output()).isEqualTo(1);
            assertThat(command.output()).contains("violates check constraint \"no_rows\"");
            JsonNode json = LoadResult.json(run);
            assertThat(json.path("outcome").asText()).isEqualTo("failed");
            assertThat(json.path("rows_read").asLong())
                    .isGreaterThan(json.path("rows_written").asLong());
        }
    }

    @Test
    void anEndlessRunIsStoppedWithAFinalCommit() throws IOException, InterruptedException {
        Path run = folder.resolve("run");
        try (CommandProcess command =
                start("run", "source.rows 0", "source.devices 100", "source.rate 20000", "sink.layout hypertable")) {
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> "t".equals(database.one("SELECT to_regclass('cpu') IS NOT NULL"))
                            && database.count("SELECT count(*) FROM cpu") > 0);

            command.signal("INT");

            assertThat(command.waitFor()).as(command.output()).isEqualTo(130);
            JsonNode json = LoadResult.json(run);
            long rows = database.count("SELECT count(*) FROM cpu");
            assertThat(json.path("outcome").asText()).isEqualTo("stopped");
            assertThat(json.path("rows_read").asLong()).isEqualTo(rows);
            assertThat(json.path("rows_written").asLong()).isEqualTo(rows);
            assertThat(json.path("rows_in_table").asLong()).isEqualTo(rows);
            assertThat(database.count("SELECT count(DISTINCT (time, hostname)) FROM cpu"))
                    .isEqualTo(rows);
            assertThat(run.resolve("report.html")).isNotEmptyFile();
            assertThat(run.resolve("checkpoints")).doesNotExist();
            assertThat(database.count(
                            "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'chunkroll %'"))
                    .isZero();
        }
    }
}
