package io.chunkroll.faults.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A check that cannot fail is none: each thing that can be wrong is made wrong, and noticed. */
@Timeout(120)
class VerifierITCase {
    private static final Set<String> BAD_ROWS = Set.of("bad 1", "bad 2");
    private static PostgresServer server;

    @TempDir
    Path runFolder;

    private Connection connection;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.startPrivate(Map.of());
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void fillTables() throws SQLException {
        connection = server.connect();
        for (String table : List.of(Reference.TABLE, LoadPlan.TABLE)) {
            Sql.execute(connection, "CREATE TABLE " + table + " (time timestamptz, hostname text, usage float8)");
        }
        Sql.execute(connection, "SELECT create_hypertable('cpu', 'time', chunk_time_interval => interval '10 s')");
        Sql.execute(
                connection,
                "INSERT INTO reference SELECT to_timestamp(i / 10), 'host_' || i % 10, i FROM generate_series(0, 999) i");
        Sql.execute(connection, "INSERT INTO cpu SELECT * FROM reference");
    }

    @AfterEach
    void dropTables() throws SQLException {
        Sql.execute(connection, "DROP TABLE cpu");
        Sql.execute(connection, "DROP TABLE reference");
        connection.close();
    }

    private Verdict verdict(Guarantee guarantee, boolean csv) throws SQLException, IOException {
        LoadPlan plan = new LoadPlan(guarantee, "hypertable", csv, "1 s", runFolder);
        return new Verifier(server, BAD_ROWS).verify(plan);
    }

    private List<String> faults(Guarantee guarantee) throws SQLException, IOException {
        return verdict(guarantee, false).faults(guarantee);
    }

    @Test
    void allIsWell() throws Exception {
        assertThat(verdict(Guarantee.EXACTLY_ONCE, false)).isEqualTo(new Verdict(1_000, 0, 0, 0, 0, 0, List.of()));
        assertThat(faults(Guarantee.EXACTLY_ONCE)).isEmpty();
    }

    @Test
    void aLostRow() throws Exception {
        Sql.execute(connection, "DELETE FROM cpu WHERE usage = 517");
        assertThat(faults(Guarantee.AT_LEAST_ONCE)).containsExactly("1 rows lost");
        assertThat(faults(Guarantee.EXACTLY_ONCE)).containsExactly("1 rows lost");
    }

    @Test
    void aDoubledRow() throws Exception {
        Sql.execute(connection, "INSERT INTO cpu SELECT * FROM cpu WHERE usage = 517");
        assertThat(faults(Guarantee.AT_LEAST_ONCE)).isEmpty();
        assertThat(faults(Guarantee.EXACTLY_ONCE)).containsExactly("1 rows doubled");
    }

    /** Neither the count nor the keys tell. */
    @Test
    void aLostRowBesideADoubledOne() throws Exception {
        Sql.execute(
                connection,
                "UPDATE cpu SET (time, hostname, usage) = (SELECT time, hostname, usage FROM reference"
                        + " WHERE usage = 518) WHERE usage = 517");
        assertThat(faults(Guarantee.EXACTLY_ONCE)).containsExactly("1 rows lost", "1 rows doubled");
    }

    @Test
    void aChangedValue() throws Exception {
        Sql.execute(connection, "UPDATE cpu SET usage = 0.5 WHERE usage = 517");
        assertThat(faults(Guarantee.AT_LEAST_ONCE)).containsExactly("1 rows lost", "1 rows that were never sent");
    }

    @Test
    void whatIsLeftInTheServer() throws Exception {
        Properties ours = new Properties();
        ours.setProperty("user", server.user());
        ours.setProperty("ApplicationName", "chunkroll copy 3");
        try (Connection left = DriverManager.getConnection(server.jdbcUrl(), ours)) {
            Sql.execute(left, "CREATE TEMPORARY TABLE stage (x int)");
            Sql.execute(connection, "CREATE TABLE chunkroll_stage (x int)");
            Sql.execute(connection, "BEGIN");
            Sql.execute(connection, "INSERT INTO cpu SELECT * FROM reference LIMIT 1");
            Sql.execute(connection, "PREPARE TRANSACTION 'faults-1'");
            assertThat(faults(Guarantee.AT_LEAST_ONCE))
                    .hasSize(4)
                    .anyMatch(fault -> fault.startsWith("left: faults-1 (prepared transaction)"))
                    .anyMatch(fault -> fault.startsWith("left: chunkroll copy 3 (connection"))
                    .anyMatch(fault -> fault.contains("stage (table)"))
                    .anyMatch(fault -> fault.startsWith("left: chunkroll_stage (table)"));
        } finally {
            Sql.execute(connection, "ROLLBACK PREPARED 'faults-1'");
            Sql.execute(connection, "DROP TABLE chunkroll_stage");
        }
    }

    @Test
    void rejects() throws Exception {
        Path rejects = Files.createDirectory(runFolder.resolve("rejects"));
        Files.writeString(rejects.resolve("rejects-0.jsonl"), "{\"row\":\"bad 1\"}\n{\"row\":\"bad 2\"}\n");
        assertThat(verdict(Guarantee.EXACTLY_ONCE, true).faults(Guarantee.EXACTLY_ONCE))
                .isEmpty();
        Files.writeString(rejects.resolve("rejects-0.jsonl"), "{\"row\":\"bad 1\"}\n{\"row\":\"bad 1\"}\n");
        Files.writeString(rejects.resolve(".rejects-1.jsonl"), "");
        Files.writeString(rejects.resolve("rejects-2.jsonl"), "{\"row\":\"good\"}\n");
        assertThat(verdict(Guarantee.EXACTLY_ONCE, true).faults(Guarantee.EXACTLY_ONCE))
                .containsExactlyInAnyOrder(
                        "1 rejects lost",
                        "1 rejects doubled",
                        "left: rejects/.rejects-1.jsonl (file)",
                        "left: a reject that is no bad row: good");
        assertThat(verdict(Guarantee.AT_LEAST_ONCE, true).faults(Guarantee.AT_LEAST_ONCE))
                .contains("1 rejects lost")
                .doesNotContain("1 rejects doubled");
    }
}
