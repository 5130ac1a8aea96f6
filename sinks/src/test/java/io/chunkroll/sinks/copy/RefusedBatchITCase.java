package io.chunkroll.sinks.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.chunkroll.server.PostgresServer;
import io.chunkroll.server.TestDatabase;
import io.chunkroll.sinks.Fleet;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TargetTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Batches that the server does not take: the writer fails at once and says which batch, which table and why. */
@Timeout(120)
class RefusedBatchITCase {
    private TestDatabase database;
    private ConnectionOptions options;
    private TargetTable table;

    @BeforeEach
    void open() throws Exception {
        database = TestDatabase.create();
        options = Fleet.options(database);
        table = Fleet.create(options, Layout.PLAIN);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private LoadingWriter writer(int batchRows) {
        return new LoadingWriter(options, table, batchRows, Duration.ofSeconds(30));
    }

    private AbstractThrowableAssert<?, ? extends Throwable> assertSecondBatchFails() throws Exception {
        try (LoadingWriter writer = writer(100)) {
            return assertThatThrownBy(() -> writer.write(1_000).flush())
                    .isInstanceOf(CopyException.class)
                    .hasMessageContaining("batch 2 of subtask 0 into table " + database.schema() + ".fleet (100 rows, ")
                    .hasMessageContaining("times 2016-01-03T00:00:10Z to 2016-01-03T00:00:10Z");
        }
    }

    @Test
    void aUniqueViolation() throws Exception {
        Fleet.execute(options, "CREATE UNIQUE INDEX once ON fleet (n)");
        Fleet.execute(options, "INSERT INTO fleet VALUES (now(), 'here before', 150, 0)");
        assertSecondBatchFails()
                .hasMessageContaining("duplicate key value violates unique constraint \"once\"")
                .hasMessageContaining("Key (n)=(150) already exists")
                .hasMessageContaining("COPY fleet, line ");
        assertThat(database.count("SELECT count(*) FROM fleet")).isEqualTo(101);
    }

    @Test
    void aCheckViolation() throws Exception {
        Fleet.execute(options, "ALTER TABLE fleet ADD CONSTRAINT not_150 CHECK (n <> 150)");
        assertSecondBatchFails().hasMessageContaining("violates check constraint \"not_150\"");
        Fleet.assertHolds(options, 100);
    }

    @Test
    void aViolationThatTheCommitFinds() throws Exception {
        Fleet.execute(options, "ALTER TABLE fleet ADD CONSTRAINT once UNIQUE (n) DEFERRABLE INITIALLY DEFERRED");
        Fleet.execute(options, "INSERT INTO fleet VALUES (now(), 'here before', 150, 0)");
        assertSecondBatchFails().hasMessageContaining("duplicate key value violates unique constraint \"once\"");
        assertThat(database.count("SELECT count(*) FROM fleet")).isEqualTo(101);
    }

    @Test
    void aTriggerThatDropsRows() throws Exception {
        Fleet.execute(
                options, "CREATE FUNCTION drop_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'");
        Fleet.execute(
                options,
                "CREATE TRIGGER drop_some BEFORE INSERT ON fleet"
                        + " FOR EACH ROW WHEN (new.n IN (150, 151)) EXECUTE FUNCTION drop_row()");
        assertSecondBatchFails().hasMessageContaining("COPY stored 98 of 100 rows; a trigger or a rule");
        Fleet.assertHolds(options, 100);
    }

    /** As wide in binary form as the type before, so that the server takes the bytes for something else. */
    @Test
    void aColumnThatHasAnotherTypeNow() throws Exception {
        try (LoadingWriter writer = writer(100)) {
            writer.write(100).flush();
            Fleet.execute(options, "ALTER TABLE fleet ALTER value TYPE bigint");
            assertThatThrownBy(() -> writer.write(100).flush())
                    .isInstanceOf(CopyException.class)
                    .hasMessageContaining("column \"value\" has become bigint");
        }
        assertThat(database.count("SELECT count(*) FROM fleet")).isEqualTo(100);
        assertThat(database.count("SELECT max(value) FROM fleet")).isEqualTo(10);
    }

    @Test
    void aTableThatIsGone() throws Exception {
        Fleet.execute(options, "ALTER TABLE fleet RENAME TO gone");
        try (LoadingWriter writer = writer(100)) {
            assertThatThrownBy(() -> writer.write(10).flush())
                    .isInstanceOf(CopyException.class)
                    .hasMessageContaining("relation \"" + database.schema() + ".fleet\" does not exist");
        }
    }

    @Test
    void aFailureIsToldByTheNextRowOrFlush() throws Exception {
        Fleet.execute(options, "ALTER TABLE fleet ADD CONSTRAINT none CHECK (n < 0)");
        try (LoadingWriter writer = writer(100)) {
            writer.write(100);
            assertThatThrownBy(() -> writer.write(100)).isInstanceOf(CopyException.class);
        }
    }

    /** The task may live on for a moment after a timer failed, and a checkpoint come in that moment. */
    @Test
    void aCheckpointDoesNotPassAfterATimerFailed() throws Exception {
        Fleet.execute(options, "ALTER TABLE fleet ADD CONSTRAINT not_50 CHECK (n <> 50)");
        try (LoadingWriter writer = writer(100)) {
            writer.timers.setCurrentTime(0);
            writer.write(150);
            // The timer looks again and again until the batch before is sent, or is not.
            await().untilAsserted(() ->
                    assertThatThrownBy(() -> writer.timers.advance(1_000)).hasMessageContaining("not_50"));
            assertThatThrownBy(writer::flush).isInstanceOf(CopyException.class).hasMessageContaining("not_50");
            assertThatThrownBy(writer::flush).isInstanceOf(CopyException.class).hasMessageContaining("not_50");
        }
        assertThat(database.count("SELECT count(*) FROM fleet")).isZero();
    }

    @Test
    void aPartitionThatIsMissing() throws Exception {
        Fleet.execute(options, "DROP TABLE fleet");
        table = Fleet.create(options, Layout.PARTITIONED);
        try (LoadingWriter writer = writer(100)) {
            assertThatThrownBy(() -> writer.write(10).flush())
                    .isInstanceOf(CopyException.class)
                    .hasMessageContaining("no partition of relation \"fleet\" found for row");
        }
    }

    /** The disk here is a small file system in memory, which only root can mount; the others read the test's name as skipped. */
    @Test
    void aFullDisk() throws Exception {
        assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))
                .as("a file system is mounted, which takes root")
                .isEqualTo(0);
        Path disk = Files.createTempDirectory(Path.of("/tmp"), "chunkroll-disk");
        run("mount", "-t", "tmpfs", "-o", "size=3m,mode=777", "chunkroll-test", disk.toString());
        try (PostgresServer server = PostgresServer.startPrivate(Map.of())) {
            Path space = Files.createDirectory(disk.resolve("space"));
            Files.setOwner(
                    space, space.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
            ConnectionOptions there = Fleet.options(server);
            TargetTable small = Fleet.create(there, Layout.PLAIN);
            Fleet.execute(there, "CREATE TABLESPACE small LOCATION '" + space + "'");
            Fleet.execute(there, "ALTER TABLE fleet SET TABLESPACE small");
            try (LoadingWriter writer = new LoadingWriter(there, small, 10_000, Duration.ofSeconds(2))) {
                assertThatThrownBy(() -> writer.write(100_000).flush())
                        .isInstanceOf(CopyException.class)
                        .hasMessageContaining("into table public.fleet")
                        .hasMessageContaining("No space left on device");
            }
            long stored = Long.parseLong(Fleet.one(there, "SELECT count(*) FROM fleet"));
            assertThat(stored).isPositive().isLessThan(100_000);
            assertThat(stored % 10_000).isZero();
            Fleet.assertHolds(there, stored);
        } finally {
            run("umount", disk.toString());
            Files.delete(disk);
        }
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    /** What was not flushed is not sent when the writer is closed, and what waits for the server is broken off. */
    @Test
    void closingSendsNothingMore() throws Exception {
        LoadingWriter writer = writer(100);
        writer.write(150).flush();
        try (Connection locker = options.connect("lock");
                Statement lock = locker.createStatement()) {
            locker.setAutoCommit(false);
            lock.execute("LOCK TABLE fleet IN ACCESS EXCLUSIVE MODE");
            writer.write(150);
            await().until(() -> Fleet.one(options, "SELECT count(*) FROM pg_locks WHERE NOT granted")
                    .equals("1"));
            writer.close();
        }
        await().until(() -> Fleet.one(
                        options, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'chunkroll copy 0'")
                .equals("0"));
        Fleet.assertHolds(options, 150);
    }

    @Test
    void aTimerSendsWhatIsOldAndNothingElse() throws Exception {
        try (LoadingWriter writer = writer(100)) {
            writer.timers.setCurrentTime(0);
            writer.write(130);
            writer.timers.setCurrentTime(900);
            writer.write(20);
            await().until(() -> database.count("SELECT count(*) FROM fleet") == 100);
            writer.timers.setCurrentTime(1_000);
            await().until(() -> database.count("SELECT count(*) FROM fleet") == 150);
            writer.timers.setCurrentTime(5_000);
            assertThat(writer.timers.getNumActiveTimers()).isZero();
        }
        Fleet.assertHolds(options, 150);
    }
}
