package io.chunkroll.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class PostgresServerITCase {
    private static long count(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private static void execute(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void privateServerHasTimescaleAndLeavesNothing() throws Exception {
        List<Long> processes;
        try (PostgresServer server = PostgresServer.startPrivate(Map.of("work_mem", "7MB"))) {
            long pid = server.postmasterPid().orElseThrow();
            execute(server, "CREATE TABLE t (time timestamptz NOT NULL, v float8)");
            execute(server, "SELECT create_hypertable('t', 'time', chunk_time_interval => interval '1 day')");
            execute(server, "INSERT INTO t SELECT now() + n * interval '1 day', n FROM generate_series(1, 5) n");
            assertThat(count(server, "SELECT count(*) FROM show_chunks('t')")).isEqualTo(5);
            assertThat(count(server, "SELECT setting::int FROM pg_settings WHERE name = 'work_mem'"))
                    .isEqualTo(7 * 1024);
            processes = ProcessTree.pids(pid);
            assertThat(processes).hasSizeGreaterThan(3);
        }
        assertThat(processes).noneMatch(ProcessTree::isAlive);
    }

    @Test
    void comesBackWithItsDataAfterRestartAndCrash() throws Exception {
        try (PostgresServer server = PostgresServer.startPrivate(Map.of())) {
            int port = server.port();
            execute(server, "CREATE TABLE t AS SELECT generate_series(1, 1000) n");
            server.restart();
            assertThat(count(server, "SELECT count(*) FROM t")).isEqualTo(1000);
            long pid = server.postmasterPid().orElseThrow();
            List<Long> processes = ProcessTree.pids(pid);
            server.kill();
            assertThat(processes).noneMatch(ProcessTree::isAlive);
            assertThat(server.postmasterPid()).isEmpty();
            assertThatThrownBy(server::connect).isInstanceOf(SQLException.class);
            server.start();
            assertThat(server.port()).isEqualTo(port);
            assertThat(count(server, "SELECT count(*) FROM t")).isEqualTo(1000);
        }
    }

    @Test
    void aFrozenServerAnswersNotUntilItThaws() throws Exception {
        try (PostgresServer server = PostgresServer.startPrivate(Map.of())) {
            server.freeze();
            assertThatThrownBy(() -> DriverManager.getConnection(
                            server.jdbcUrl() + "?loginTimeout=1", server.user(), server.password()))
                    .isInstanceOf(SQLException.class);
            server.thaw();
            assertThat(count(server, "SELECT 1")).isEqualTo(1);
            server.freeze();
        }
    }

    @Test
    void passwordIsAskedForWhereOneIsSet() throws Exception {
        try (PostgresServer server = PostgresServer.startPrivate(Map.of(), "it's secret")) {
            assertThat(count(server, "SELECT 1")).isEqualTo(1);
            assertThatThrownBy(() -> DriverManager.getConnection(server.jdbcUrl(), server.user(), "wrong"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password authentication failed");
        }
    }

    @Test
    void saysWhichSettingKeptItFromStarting() {
        assertThatThrownBy(() -> PostgresServer.startPrivate(Map.of("shared_buffers", "12 apples")))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageContaining("server.shared_buffers = 12 apples")
                .hasMessageContaining("HINT")
                .hasMessageContaining("Valid units");
        assertThatThrownBy(() -> PostgresServer.startPrivate(Map.of("shared_bufers", "32MB")))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageContaining("unrecognized configuration parameter \"shared_bufers\"");
        assertThatThrownBy(() -> PostgresServer.startPrivate(Map.of("timescale.max_background_workers", "2")))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageContaining("does not know the setting server.timescale.max_background_workers");
    }

    @Test
    void psqlRunsOnTheDatabase() throws Exception {
        try (PostgresServer server = PostgresServer.startPrivate(Map.of(), "secret")) {
            Process psql = server.psql(List.of("-At", "-c", "SELECT current_database()"))
                    .start();
            assertThat(psql.inputReader().readLine()).isEqualTo("chunkroll");
            assertThat(psql.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void eachTestHasItsOwnSchema() {
        try (TestDatabase one = TestDatabase.create();
                TestDatabase two = TestDatabase.create()) {
            one.execute("CREATE TABLE t (n int)");
            two.execute("CREATE TABLE t AS SELECT 1 AS n");
            assertThat(one.count("SELECT count(*) FROM t")).isZero();
            assertThat(two.count("SELECT count(*) FROM t")).isEqualTo(1);
            assertThat(two.one("SELECT extname FROM pg_extension WHERE extname = 'timescaledb'"))
                    .isEqualTo("timescaledb");
        }
    }
}
