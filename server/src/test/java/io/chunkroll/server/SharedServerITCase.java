package io.chunkroll.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On a cache folder of its own, whose programs are those of the user's. */
@Timeout(300)
class SharedServerITCase {
    private final List<Process> processes = new ArrayList<>();
    private CacheFolder cache;
    private SharedServer shared;

    @BeforeEach
    void makeCache() throws IOException {
        CacheFolder ofUser = CacheFolder.ofUser();
        new PostgresInstall(ofUser, ServerAccount.current()).findOrMake(line -> {});
        cache = new CacheFolder(Files.createTempDirectory("chunkroll-test-"));
        Files.delete(cache.root());
        CacheFolder.makeOpen(cache.root());
        Files.createSymbolicLink(cache.programs(), ofUser.programs());
        Files.createSymbolicLink(cache.templates(), ofUser.templates());
        shared = new SharedServer(cache);
    }

    @AfterEach
    void leaveNothing() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
        List<Long> left = postmasters();
        shared.stop(true);
        Folders.delete(cache.root());
        assertThat(left).isEmpty();
    }

    private List<Long> postmasters() {
        return shared.status().pid().stream().boxed().toList();
    }

    private Process launch(String... settings) throws IOException {
        Process process =
                ServerProcess.launch(Map.of("CHUNKROLL_CACHE", cache.root().toString()), settings);
        processes.add(process);
        return process;
    }

    private static String answer(Process process) throws IOException {
        return ServerProcess.answer(process);
    }

    private static void leave(Process process) throws Exception {
        process.outputWriter().close();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void twoProcessesThatStartItAtOnceShareOneServerAndTheLastStopsIt() throws Exception {
        Process one = launch();
        Process two = launch();
        String first = answer(one);
        assertThat(first).startsWith("joined ").isEqualTo(answer(two));
        long pid = Long.parseLong(first.split(" ")[1]);
        List<Long> all = ProcessTree.pids(pid);
        assertThat(shared.status().users()).containsExactlyInAnyOrder(one.pid(), two.pid());
        assertThatThrownBy(() -> shared.stop(false))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageContaining("2 processes")
                .hasMessageContaining(String.valueOf(one.pid()));
        leave(one);
        assertThat(ProcessTree.isAlive(pid)).isTrue();
        leave(two);
        assertThat(all).noneMatch(ProcessTree::isAlive);
    }

    @Test
    void aKilledProcessKeepsNobodyFromStoppingIt() throws Exception {
        Process one = launch();
        assertThat(answer(one)).startsWith("joined ");
        one.destroyForcibly().waitFor();
        assertThat(shared.status().users()).isEmpty();
        assertThat(shared.status().running()).isTrue();
        Process two = launch();
        assertThat(answer(two)).startsWith("joined ");
        leave(two);
        assertThat(shared.status().running()).isFalse();
    }

    @Test
    void aTerminatedProcessLeavesIt() throws Exception {
        Process one = launch();
        assertThat(answer(one)).startsWith("joined ");
        one.destroy();
        assertThat(one.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(shared.status().running()).isFalse();
    }

    @Test
    void otherSettingsRestartItOnlyWhenNobodyUsesIt() throws Exception {
        Process one = launch("work_mem=5MB");
        assertThat(answer(one)).startsWith("joined ");
        assertThat(answer(launch("work_mem=6MB")))
                .startsWith("refused ")
                .contains("work_mem is 5MB, asked for: 6MB")
                .contains("pid " + one.pid());
        Process same = launch();
        assertThat(answer(same)).startsWith("joined ");
        leave(same);
        leave(one);
        shared.start(Map.of("work_mem", "5MB"), line -> {});
        try (PostgresServer server = shared.join(Map.of("work_mem", "7MB"), line -> {})) {
            assertThat(one("SHOW work_mem", server)).isEqualTo("7MB");
        }
        shared.stop(false);
    }

    private static String one(String sql, PostgresServer server) throws SQLException {
        return new Endpoint(server.port(), server.password()).one(sql);
    }

    @Test
    void keepsItsDataItsPortAndItsPassword() throws Exception {
        int port;
        try (PostgresServer server = shared.join(Map.of(), line -> {})) {
            port = server.port();
            try (Connection connection = server.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE kept AS SELECT 42 AS n");
            }
            assertThatThrownBy(() -> DriverManager.getConnection(server.jdbcUrl(), server.user(), ""))
                    .isInstanceOf(SQLException.class);
            server.kill();
        }
        shared.start(Map.of(), line -> {});
        ServerStatus status = shared.status();
        assertThat(status.running()).isTrue();
        assertThat(status.keepsRunning()).isTrue();
        assertThat(status.url()).isEqualTo(shared.url()).contains("jdbc:postgresql://127.0.0.1:" + port + "/chunkroll");
        assertThat(status.postgresVersion().orElseThrow()).startsWith("17.");
        assertThat(status.timescaleVersion().orElseThrow()).startsWith("2.");
        assertThat(status.bytes().orElseThrow()).isGreaterThan(1 << 20);
        assertThat(status.uptime().orElseThrow()).isLessThan(Duration.ofMinutes(5));
        try (PostgresServer server = shared.join(Map.of(), line -> {})) {
            assertThat(one("SELECT n FROM kept", server)).isEqualTo("42");
        }
        assertThat(shared.status().running()).isTrue();
        shared.reset(false, line -> {});
        try (PostgresServer server = shared.join(Map.of(), line -> {})) {
            assertThat(one("SELECT count(*) FROM pg_tables WHERE tablename = 'kept'", server))
                    .isEqualTo("0");
        }
        shared.stop(false);
        assertThat(shared.status().running()).isFalse();
    }

    @Test
    void aStalePidFileOfAnotherProgramDoesNotConfuseIt() throws Exception {
        shared.join(Map.of(), line -> {}).close();
        Path pidFile = cache.shared().resolve("cluster/data/postmaster.pid");
        Files.writeString(pidFile, ProcessHandle.current().pid() + "\n/elsewhere\n0\n5432\n\n127.0.0.1\n0 0\nready\n");
        assertThat(shared.status().running()).isFalse();
        try (PostgresServer server = shared.join(Map.of(), line -> {})) {
            assertThat(one("SELECT 1", server)).isEqualTo("1");
        }
    }

    @Test
    void whatAKilledProcessLeavesIsClearedAwayByTheNext() throws Exception {
        Process one = launch("private");
        long left = Long.parseLong(answer(one).split(" ")[1]);
        one.destroyForcibly().waitFor();
        assertThat(ProcessTree.isAlive(left)).isTrue();
        Process two = launch("private");
        long running = Long.parseLong(answer(two).split(" ")[1]);
        assertThat(ProcessTree.isAlive(left)).isFalse();
        Process three = launch("private");
        assertThat(answer(three)).startsWith("joined ");
        assertThat(ProcessTree.isAlive(running)).isTrue();
        leave(two);
        leave(three);
        assertThat(cache.privateServers()).isEmptyDirectory();
    }
}
