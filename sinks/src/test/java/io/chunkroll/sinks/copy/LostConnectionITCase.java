package io.chunkroll.sinks.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.chunkroll.server.PostgresServer;
import io.chunkroll.server.TestDatabase;
import io.chunkroll.sinks.Fleet;
import io.chunkroll.sinks.copy.CommitCutter.Cut;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TargetTable;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that end, servers that die, answers that never come: no row is lost and none comes twice. */
@Timeout(120)
class LostConnectionITCase {
    private static final Duration RETRY = Duration.ofSeconds(60);
    private static final String SENDERS = "FROM pg_stat_activity WHERE application_name = 'chunkroll copy 0'";

    private static void endSenders(ConnectionOptions options) throws Exception {
        Fleet.one(options, "SELECT count(pg_terminate_backend(pid)) " + SENDERS);
    }

    private static void awaitWaitingSender(ConnectionOptions options) {
        await().until(() -> Fleet.one(options, "SELECT count(*) " + SENDERS + " AND wait_event_type = 'Lock'")
                .equals("1"));
    }

    @Test
    void connectionsEndedAgainAndAgain() throws Exception {
        try (TestDatabase database = TestDatabase.create()) {
            ConnectionOptions options = Fleet.options(database);
            TargetTable table = Fleet.create(options, Layout.HYPERTABLE);
            try (LoadingWriter writer = new LoadingWriter(options, table, 500, RETRY)) {
                for (int i = 0; i < 12; i++) {
                    writer.write(2_250);
                    endSenders(options);
                }
                writer.flush();
                endSenders(options);
                writer.write(100).flush();
            }
            Fleet.assertHolds(options, 27_100);
        }
    }

    @Test
    void aConnectionEndedWithinACopy() throws Exception {
        try (TestDatabase database = TestDatabase.create()) {
            ConnectionOptions options = Fleet.options(database);
            TargetTable table = Fleet.create(options, Layout.PLAIN);
            try (LoadingWriter writer = new LoadingWriter(options, table, 1_000, RETRY);
                    Connection locker = options.connect("lock");
                    Statement lock = locker.createStatement()) {
                locker.setAutoCommit(false);
                lock.execute("LOCK TABLE fleet IN ACCESS EXCLUSIVE MODE");
                writer.write(1_000);
                awaitWaitingSender(options);
                endSenders(options);
                awaitWaitingSender(options);
                locker.rollback();
                writer.flush();
            }
            Fleet.assertHolds(options, 1_000);
        }
    }

    @Test
    void aServerKilledInMidLoad() throws Exception {
        try (PostgresServer server = PostgresServer.startPrivate(Map.of())) {
            ConnectionOptions options = Fleet.options(server);
            TargetTable table = Fleet.create(options, Layout.HYPERTABLE);
            ExecutorService thread = Executors.newSingleThreadExecutor();
            try (LoadingWriter writer = new LoadingWriter(options, table, 2_000, RETRY)) {
                for (int i = 1; i <= 3; i++) {
                    long before = 50_000L * i - 40_000;
                    Future<?> load = thread.submit(() -> {
                        writer.write(50_000).flush();
                        return null;
                    });
                    await().until(() -> Long.parseLong(Fleet.one(options, "SELECT count(*) FROM fleet")) >= before);
                    server.kill();
                    server.start();
                    load.get(60, TimeUnit.SECONDS);
                }
            } finally {
                thread.shutdownNow();
            }
            Fleet.assertHolds(options, 150_000);
        }
    }

    @Test
    void aServerKilledWithinACopy() throws Exception {
        try (PostgresServer server = PostgresServer.startPrivate(Map.of())) {
            ConnectionOptions options = Fleet.options(server);
            TargetTable table = Fleet.create(options, Layout.PLAIN);
            try (LoadingWriter writer = new LoadingWriter(options, table, 1_000, RETRY)) {
                writer.write(1_500).flush();
                try (Connection locker = options.connect("lock");
                        Statement lock = locker.createStatement()) {
                    locker.setAutoCommit(false);
                    lock.execute("LOCK TABLE fleet IN ACCESS EXCLUSIVE MODE");
                    writer.write(1_000);
                    awaitWaitingSender(options);
                    server.kill();
                }
                server.start();
                writer.flush();
            }
            Fleet.assertHolds(options, 2_500);
        }
    }

    @ParameterizedTest
    @EnumSource(Cut.class)
    void aCommitWithoutAnAnswer(Cut cut) throws Exception {
        try (TestDatabase database = TestDatabase.create();
                CommitCutter cutter = new CommitCutter(database.server().port(), cut)) {
            ConnectionOptions direct = Fleet.options(database);
            // Were the batch sent twice, or the first transaction left open, this index would tell.
            TargetTable table = Fleet.create(direct, Layout.PLAIN);
            Fleet.execute(direct, "CREATE UNIQUE INDEX ON fleet (n)");
            try (LoadingWriter writer = new LoadingWriter(through(cutter, database), table, 1_000, RETRY)) {
                writer.write(2_500).flush();
            }
            Fleet.assertHolds(direct, 2_500);
            assertThat(cutter.commits()).isGreaterThan(1);
        }
    }

    @Test
    void manyCommitsWithoutAnAnswer() throws Exception {
        try (TestDatabase database = TestDatabase.create();
                CommitCutter cutter = new CommitCutter(
                        database.server().port(),
                        Cut.ARRIVES,
                        Cut.IS_LOST,
                        Cut.IS_LOST_SILENTLY,
                        Cut.IS_LOST,
                        Cut.ARRIVES)) {
            ConnectionOptions direct = Fleet.options(database);
            TargetTable table = Fleet.create(direct, Layout.HYPERTABLE);
            try (LoadingWriter writer = new LoadingWriter(through(cutter, database), table, 1_000, RETRY)) {
                writer.write(5_000).flush();
            }
            Fleet.assertHolds(direct, 5_000);
            assertThat(cutter.commits()).isGreaterThanOrEqualTo(5);
        }
    }

    private static ConnectionOptions through(CommitCutter cutter, TestDatabase database) {
        String url = database.url().replace(":" + database.server().port() + "/", ":" + cutter.port() + "/");
        return new ConnectionOptions(url, database.user(), database.password());
    }

    /** The server answers the commit itself, with a failure that passes. */
    @Test
    void aCommitRefusedForNow() throws Exception {
        try (TestDatabase database = TestDatabase.create()) {
            ConnectionOptions options = Fleet.options(database);
            TargetTable table = Fleet.create(options, Layout.PLAIN);
            Fleet.execute(options, "CREATE SEQUENCE tries");
            Fleet.execute(options, failing("40001", 3));
            Fleet.execute(
                    options,
                    "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON fleet DEFERRABLE INITIALLY DEFERRED"
                            + " FOR EACH ROW WHEN (new.n = 0) EXECUTE FUNCTION fail()");
            try (LoadingWriter writer = new LoadingWriter(options, table, 100, RETRY)) {
                writer.write(250).flush();
            }
            Fleet.assertHolds(options, 250);
        }
    }

    @Test
    void aDeadlock() throws Exception {
        try (TestDatabase database = TestDatabase.create()) {
            ConnectionOptions options = Fleet.options(database);
            TargetTable table = Fleet.create(options, Layout.PLAIN);
            Fleet.execute(options, "CREATE SEQUENCE tries");
            Fleet.execute(options, failing("40P01", 3));
            Fleet.execute(
                    options,
                    "CREATE TRIGGER early BEFORE INSERT ON fleet"
                            + " FOR EACH ROW WHEN (new.n = 77) EXECUTE FUNCTION fail()");
            try (LoadingWriter writer = new LoadingWriter(options, table, 100, RETRY)) {
                writer.write(250).flush();
            }
            Fleet.assertHolds(options, 250);
        }
    }

    /** A sequence forgets nothing when a transaction is rolled back. */
    private static String failing(String state, int times) {
        return "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF nextval('tries') < " + times
                + " THEN RAISE 'not now' USING ERRCODE = '" + state + "'; END IF; RETURN new; END $$";
    }

    @Test
    void aServerThatStaysAway() throws Exception {
        try (PostgresServer server = PostgresServer.startPrivate(Map.of())) {
            ConnectionOptions options = Fleet.options(server);
            TargetTable table = Fleet.create(options, Layout.PLAIN);
            try (LoadingWriter writer = new LoadingWriter(options, table, 100, Duration.ofMillis(500))) {
                writer.write(100).flush();
                server.stop();
                assertThatThrownBy(() -> writer.write(100).flush())
                        .isInstanceOf(CopyException.class)
                        .hasMessageContaining("batch 2 of subtask 0 into table public.fleet")
                        .hasMessageContaining("attempts")
                        .hasMessageContaining("refused");
            }
            server.start();
            Fleet.assertHolds(options, 100);
        }
    }

    /** Nobody waits for a server that does not answer when the job is cancelled. */
    @Test
    void closesWhileTheServerIsFrozen() throws Exception {
        try (PostgresServer server = PostgresServer.startPrivate(Map.of())) {
            ConnectionOptions options = Fleet.options(server);
            TargetTable table = Fleet.create(options, Layout.PLAIN);
            LoadingWriter writer = new LoadingWriter(options, table, 100, RETRY);
            writer.write(100).flush();
            server.freeze();
            writer.write(100);
            writer.close();
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().endsWith("(COPY)") && thread.isAlive());
            server.thaw();
        }
    }
}
