package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Exactly-once by the command line: over lost connections and killed runs, and what the user is told of leftovers. */
@Timeout(480)
final class ExactlyOnceRunITCase extends LoadScenario {
    private static final String ROWS_IN_TABLE = "SELECT count(*) FROM cpu";

    private String prefix;

    @BeforeEach
    void choosePrefix() {
        // Prepared transactions are the database's, not the schema's.
        prefix = "load-" + database.schema();
    }

    @Override
    List<String> always() {
        return List.of(
                "sink.transaction-prefix " + prefix,
                "sink.guarantee exactly-once",
                "sink.layout hypertable",
                "job.checkpoint-interval 500 ms");
    }

    private Cli leftovers(String... more) {
        return command("leftovers", and(new String[] {"sink.transaction-prefix " + prefix}, more));
    }

    private void awaitRows(long rows, CommandProcess command) {
        await().atMost(Duration.ofMinutes(3))
                .failFast(() -> !command.isAlive())
                .until(() ->
                        database.one("SELECT to_regclass('cpu')") != null && database.count(ROWS_IN_TABLE) >= rows);
    }

    private void assertLoadedOnce(long rows, String run) throws Exception {
        assertThat(database.count(ROWS_IN_TABLE)).isEqualTo(rows);
        assertThat(database.count("SELECT count(DISTINCT (time, hostname)) FROM cpu"))
                .isEqualTo(rows);
        JsonNode json = LoadResult.json(folder.resolve(run));
        assertThat(json.path("rows_written").asLong()).isEqualTo(rows);
        assertThat(json.path("rows_in_table").asLong()).isEqualTo(rows);
        assertThat(leftovers().out()).contains("No prepared transaction");
    }

    @Test
    void connectionsThatEndRestartTheRunAndItsFiguresStayTrue() throws Exception {
        try (CommandProcess command = start("run", "source.rows 200000", "source.rate 25000", "sink.batch.rows 500")) {
            for (int i = 1; i <= 2; i++) {
                awaitRows(20_000L * i, command);
                database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND application_name LIKE 'chunkroll copy %'");
            }
            assertThat(command.waitFor()).as(command.output()).isZero();
        }
        assertLoadedOnce(200_000, "run");
        assertThat(LoadResult.json(folder.resolve("run")).path("restarts").asLong())
                .isPositive();
    }

    /** A job that is just being restarted cannot be stopped yet, and is once it is back; Control-C does not cancel it. */
    @Test
    void aStopDuringARestartCommitsWhatWasRead() throws Exception {
        try (CommandProcess command = start("run", "source.rows 0", "source.rate 20000")) {
            awaitRows(10_000, command);
            database.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND application_name LIKE 'chunkroll copy %'");
            await().until(() -> database.count("SELECT count(*) FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND application_name LIKE 'chunkroll copy %'")
                    == 0);
            command.signal("INT");
            assertThat(command.waitFor()).as(command.output()).isEqualTo(130);
        }
        JsonNode json = LoadResult.json(folder.resolve("run"));
        assertThat(json.path("outcome").asText()).isEqualTo("stopped");
        assertLoadedOnce(database.count(ROWS_IN_TABLE), "run");
    }

    /** Two runs under one prefix would roll back each other's rows; what a killed one left, the next clears away. */
    @Test
    void aRunThatIsKilledLeavesNothingThatTheNextDoesNotClear() throws Exception {
        String[] again = {"source.rows 50000", "sink.create recreate"};
        try (CommandProcess command = start("killed", "source.rows 0", "source.rate 20000")) {
            awaitRows(10_000, command);
            LoadResult second = runInto("refused", again);
            second.ended(1);
            assertThat(second.cli().err()).contains(prefix, "is running already", "sink.transaction-prefix");
            assertThat(leftovers("--rollback").all()).contains("is running");
            command.signal("KILL");
            command.waitFor();
        }
        // As it is left by a kill between the two phases, which a test cannot time.
        database.execute("BEGIN; INSERT INTO cpu (time, hostname) VALUES (now(), 'left');"
                + " PREPARE TRANSACTION 'chunkroll:" + prefix + ":9:1:ab'");
        assertThat(leftovers().out()).contains("load " + prefix + ", subtask 9, checkpoint 1");
        await().until(() -> database.count("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND application_name LIKE 'chunkroll copy %'")
                == 0);
        LoadResult third = runInto("again", again);
        third.succeeded();
        assertLoadedOnce(50_000, "again");
    }

    @Test
    void leftoversAreRolledBackWhenTold() {
        database.execute("CREATE TABLE t (n int)");
        database.execute("BEGIN; INSERT INTO t VALUES (1); PREPARE TRANSACTION 'chunkroll:" + prefix + ":0:1:ab'");
        Cli rollback = leftovers("--rollback");
        assertThat(rollback.exit()).as(rollback.all()).isZero();
        assertThat(rollback.out()).contains("Rolled back 1");
        assertThat(leftovers().out()).contains("No prepared transaction");
        Cli without = Cli.run("leftovers", "--rollback", "--sink.url", database.url());
        assertThat(without.exit()).isEqualTo(2);
        assertThat(without.err()).contains("sink.transaction-prefix");
    }

    @Test
    void tooFewPreparedTransactionsAreToldBeforeTheStart() {
        LoadResult run = run("job.parallelism 100", "source.rows 10");
        run.ended(1);
        assertThat(run.cli().err()).contains("max_prepared_transactions to at least 200");
    }
}
