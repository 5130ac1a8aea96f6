package io.chunkroll.sinks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.chunkroll.rows.Origin;
import io.chunkroll.rows.Reject;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleTypeInfo;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.server.PostgresServer;
import io.chunkroll.sinks.copy.BatchLimits;
import io.chunkroll.sinks.copy.CopyOptions;
import io.chunkroll.sinks.copy.ExactlyOnceCopySink;
import io.chunkroll.sinks.reject.RejectOptions;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TargetException;
import io.chunkroll.sinks.table.TargetTable;
import io.chunkroll.sinks.transaction.PreparedTransaction;
import io.chunkroll.sinks.transaction.PreparedTransactions;
import io.chunkroll.testing.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every row once: with failures, from a savepoint with another parallelism, after leftovers, and with a server that dies. */
@Timeout(180)
class ExactlyOnceITCase {
    private static final String PREFIX = "fleet-load";
    private static final int SLOTS = 4;

    @RegisterExtension
    static final MiniClusterExtension CLUSTER = TestCluster.ofSlots(SLOTS);

    private static PostgresServer server;

    @TempDir
    Path folder;

    private ConnectionOptions options;
    private Duration checkpoints = Duration.ofMillis(200);
    private RejectOptions rejects;
    private JobClient running;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.startPrivate(Map.of());
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @BeforeEach
    void clear() throws Exception {
        options = Fleet.options(server);
        Fleet.execute(options, "DROP TABLE IF EXISTS fleet CASCADE");
        Passing.failures.set(0);
        Passing.unreadable.set(false);
        Passing.dawdles = false;
    }

    @AfterEach
    void endTheJob() throws Exception {
        if (running != null && !running.getJobStatus().get(10, TimeUnit.SECONDS).isGloballyTerminalState()) {
            running.cancel().get(60, TimeUnit.SECONDS);
            await().until(() -> running.getJobStatus().get(10, TimeUnit.SECONDS).isGloballyTerminalState());
        }
        // A job that does not come back, as that of a test that fails, leaves what it has prepared.
        try (Connection connection = options.connect("test")) {
            for (PreparedTransaction left : PreparedTransactions.list(connection)) {
                PreparedTransactions.rollBack(connection, left.id());
            }
        }
    }

    /** Makes rows of numbers, slowly enough that checkpoints pass; fails as often as it is told to. */
    private static final class Passing implements MapFunction<Long, Tuple> {
        private static final long serialVersionUID = 1L;
        private static final AtomicInteger failures = new AtomicInteger();
        private static final long PAUSE = 5;
        /** Whether each subtask makes two thousand rows and then dawdles, so that a job does not end before it is stopped. */
        private static volatile boolean dawdles;
        /** Whether some rows are such that no row can be made of them. */
        private static final AtomicBoolean unreadable = new AtomicBoolean();

        private transient TupleWriter writer;
        private int seen;

        @Override
        public Tuple map(Long n) throws InterruptedException {
            if (writer == null) {
                writer = new TupleWriter(Fleet.COLUMNS);
            }
            if (++seen % 100 == 0) {
                Thread.sleep(dawdles && seen > 2_000 ? 500 : PAUSE);
            }
            if (seen == 7_000 && failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("a failure of the job");
            }
            if (unreadable.get() && n % 1_000 == 13) {
                return new Reject(Origin.ofNoFile(("unreadable," + n).getBytes(UTF_8)), "", "unreadable").encode();
            }
            return Fleet.row(writer, n);
        }
    }

    private JobClient start(TargetTable table, long rows, int parallelism, String savepoint) throws Exception {
        Configuration configuration = new Configuration()
                .set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay")
                .set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 20)
                .set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(100))
                .set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, folder.toUri().toString());
        if (savepoint != null) {
            configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        }
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        environment.setParallelism(parallelism).setMaxParallelism(8).enableCheckpointing(checkpoints.toMillis());
        CopyOptions copy = new CopyOptions(
                options,
                new BatchLimits(500, Long.MAX_VALUE, Duration.ofSeconds(1)),
                true,
                Duration.ofSeconds(30),
                true,
                Fleet.CHUNK);
        environment
                .fromSource(new NumberSequenceSource(0, rows - 1), WatermarkStrategy.noWatermarks(), "numbers")
                .uid("numbers")
                .map(new Passing())
                .uid("rows")
                .returns(TupleTypeInfo.INSTANCE)
                .rebalance()
                .sinkTo(ExactlyOnceCopySink.ofTuples(copy, table, Fleet.COLUMNS, PREFIX)
                        .rejecting(rejects))
                .uid("sink");
        running = environment.executeAsync();
        return running;
    }

    /** Tried again while the job is being restarted, but not when it has ended. */
    private String stop(JobClient job) {
        return await().atMost(Duration.ofSeconds(60))
                .until(
                        () -> {
                            try {
                                return job.stopWithSavepoint(
                                                false, folder.toUri().toString(), SavepointFormatType.CANONICAL)
                                        .get(60, TimeUnit.SECONDS);
                            } catch (ExecutionException e) {
                                if (job.getJobStatus().get(10, TimeUnit.SECONDS).isGloballyTerminalState()) {
                                    throw new AssertionError(
                                            "The job has ended: "
                                                    + job.getJobStatus().get(),
                                            failureOf(job, e));
                                }
                                return null;
                            }
                        },
                        Objects::nonNull);
    }

    private static Throwable failureOf(JobClient job, ExecutionException ofStop) throws Exception {
        try {
            job.getJobExecutionResult().get(10, TimeUnit.SECONDS);
            return ofStop;
        } catch (ExecutionException e) {
            return e;
        }
    }

    private void finish(JobClient job) throws Exception {
        job.getJobExecutionResult().get(150, TimeUnit.SECONDS);
    }

    private void assertNothingIsLeft() throws Exception {
        assertThat(Fleet.one(options, "SELECT count(*) FROM pg_prepared_xacts")).isEqualTo("0");
        await().until(() -> Fleet.one(
                        options,
                        "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'chunkroll %'"
                                + " AND pid <> pg_backend_pid()")
                .equals("0"));
    }

    private long rows() throws Exception {
        return Long.parseLong(Fleet.one(options, "SELECT count(*) FROM fleet"));
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void failuresOfTheJobDoubleNothing(Layout layout) throws Exception {
        TargetTable table = Fleet.create(options, layout);
        Passing.failures.set(3);
        finish(start(table, 60_000, 2, null));
        Fleet.assertHolds(options, 60_000);
        assertThat(Passing.failures).hasValue(0);
        assertNothingIsLeft();
    }

    /** A checkpoint comes right at the start, for an hour none, and then the last; two hundred batches make two transactions. */
    @Test
    void rowsAreCommittedWithTheirCheckpoint() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        checkpoints = Duration.ofHours(1);
        finish(start(table, 100_000, 1, null));
        Fleet.assertHolds(options, 100_000);
        assertThat(Long.parseLong(Fleet.one(options, "SELECT count(DISTINCT xmin::text) FROM fleet")))
                .isLessThanOrEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"2, 4", "4, 1"})
    void goesOnFromASavepointWithAnotherParallelism(int before, int after) throws Exception {
        TargetTable table = Fleet.create(options, Layout.HYPERTABLE);
        Passing.dawdles = true;
        JobClient first = start(table, 60_000, before, null);
        await().atMost(Duration.ofSeconds(60)).until(() -> rows() > 1_000);
        String savepoint = stop(first);
        Passing.dawdles = false;
        assertNothingIsLeft();
        assertThat(rows()).isLessThan(60_000);
        Passing.failures.set(1);
        finish(start(table, 60_000, after, savepoint));
        Fleet.assertHolds(options, 60_000);
        assertNothingIsLeft();
    }

    /** Rows that cannot be read and rows that the server refuses, with a change of the parallelism and failures after it. */
    @Test
    void eachRejectIsToldOfOnceWhateverFails() throws Exception {
        TargetTable table = Fleet.create(options, Layout.HYPERTABLE);
        Fleet.execute(options, "ALTER TABLE fleet ADD CONSTRAINT not_7 CHECK (n % 100 <> 7)");
        Path told = folder.resolve("rejects");
        rejects = new RejectOptions(told.toUri().toString(), PREFIX, 660);
        Passing.unreadable.set(true);
        Passing.dawdles = true;
        JobClient first = start(table, 60_000, 4, null);
        await().atMost(Duration.ofSeconds(60)).until(() -> rows() > 1_000);
        String savepoint = stop(first);
        Passing.dawdles = false;
        Passing.failures.set(2);
        Files.writeString(told.resolve(".rejects-" + PREFIX + "-3-1000000-abc"), "left by a writer that is no more\n");
        finish(start(table, 60_000, 2, savepoint));

        assertThat(rows()).isEqualTo(60_000 - 660);
        assertThat(Fleet.one(options, "SELECT count(DISTINCT n) FROM fleet")).isEqualTo("59340");
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(told)) {
            for (Path file : files.toList()) {
                assertThat(file.getFileName().toString()).startsWith("rejects-").endsWith(".jsonl");
                lines.addAll(Files.readAllLines(file));
            }
        }
        assertThat(lines).hasSize(660).doesNotHaveDuplicates();
        assertThat(lines).filteredOn(line -> line.contains("not_7")).hasSize(600);
        assertNothingIsLeft();
    }

    @Test
    void moreRejectsThanMayBeEndTheJobForGood() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        rejects = new RejectOptions(folder.resolve("rejects").toUri().toString(), PREFIX, 10);
        Passing.unreadable.set(true);
        JobClient job = start(table, 60_000, 2, null);
        assertThatThrownBy(() -> finish(job)).hasStackTraceContaining("More than 10 rows were rejected");
    }

    /** As a job leaves them that was killed between the two phases: of subtasks that this one has, and of such that it has not. */
    @Test
    void whatAnEarlierJobLeftIsRolledBackAndWhatOthersLeftIsNot() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        for (String gid : new String[] {
            "chunkroll:" + PREFIX + ":0:1:aa", "chunkroll:" + PREFIX + ":3:7:bb", "chunkroll:other:0:1:cc", "strange"
        }) {
            try (Connection connection = options.connect("test")) {
                connection.setAutoCommit(false);
                connection.createStatement().execute("INSERT INTO fleet VALUES (now(), 'left', -1, 0)");
                connection.createStatement().execute("PREPARE TRANSACTION '" + gid + "'");
            }
        }
        finish(start(table, 2_000, 2, null));
        Fleet.assertHolds(options, 2_000);
        try (Connection connection = options.connect("test")) {
            assertThat(PreparedTransactions.list(connection))
                    .extracting(left -> left.id().gid())
                    .containsExactly("chunkroll:other:0:1:cc");
        }
        assertThat(Fleet.one(options, "SELECT count(*) FROM pg_prepared_xacts")).isEqualTo("2");
        Fleet.execute(options, "ROLLBACK PREPARED 'chunkroll:other:0:1:cc'");
        Fleet.execute(options, "ROLLBACK PREPARED 'strange'");
    }

    @Test
    void connectionsEndedAgainAndAgain() throws Exception {
        TargetTable table = Fleet.create(options, Layout.HYPERTABLE);
        JobClient job = start(table, 60_000, 2, null);
        for (int i = 1; i <= 5; i++) {
            long wanted = 5_000L * i;
            await().atMost(Duration.ofSeconds(60)).until(() -> rows() > wanted);
            Fleet.execute(
                    options,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'chunkroll co%'");
        }
        finish(job);
        Fleet.assertHolds(options, 60_000);
        assertNothingIsLeft();
    }

    @Test
    void aServerKilledInMidLoad() throws Exception {
        TargetTable table = Fleet.create(options, Layout.HYPERTABLE);
        JobClient job = start(table, 60_000, 2, null);
        for (int i = 1; i <= 3; i++) {
            long wanted = 10_000L * i;
            await().atMost(Duration.ofSeconds(60)).until(() -> rows() > wanted);
            server.kill();
            server.start();
            options = Fleet.options(server);
        }
        finish(job);
        Fleet.assertHolds(options, 60_000);
        assertNothingIsLeft();
    }

    /** Two rows of one key, the second in the next checkpoint's transaction while the first is prepared and not yet committed. */
    @Test
    void aKeyThatComesTwiceIsAnErrorAndNoStandstill() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        Fleet.execute(options, "CREATE UNIQUE INDEX ON fleet ((n % 20000))");
        assertThatThrownBy(() -> finish(start(table, 40_000, 1, null)))
                .hasStackTraceContaining("duplicate key value violates unique constraint");
    }

    @Test
    void tooFewPreparedTransactionsAreToldWithTheNumberNeeded() throws Exception {
        try (Connection connection = options.connect("test")) {
            PreparedTransactions.checkRoom(connection, PREFIX, 32);
            assertThatThrownBy(() -> PreparedTransactions.checkRoom(connection, PREFIX, 33))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("the server allows 64")
                    .hasMessageContaining("max_prepared_transactions to at least 66");
        }
    }

    @Test
    void aHypertableWithMoreDimensionsThanTimeIsRefused() throws Exception {
        Fleet.create(options, Layout.HYPERTABLE);
        Fleet.execute(options, "SELECT add_dimension('fleet', by_hash('host', 2))");
        TargetTable table = Fleet.read(options, "fleet");
        assertThatThrownBy(() -> start(table, 10, 1, null))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("cannot be made ahead");
    }
}
