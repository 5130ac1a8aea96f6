package io.chunkroll.sinks.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.server.TestDatabase;
import io.chunkroll.sinks.Fleet;
import io.chunkroll.sinks.metrics.SinkMetrics;
import io.chunkroll.sinks.reject.RejectOptions;
import io.chunkroll.sinks.table.ChunkRanges;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TargetTable;
import io.chunkroll.sinks.transaction.TransactionId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a batch holds and others do meanwhile: no chunk is made in a transaction that stays open, and no good row is left out. */
@Timeout(120)
class ChunkMakersITCase {
    /** Of one chunk. */
    private static final int CHUNK_ROWS = 6_000;

    private TestDatabase database;
    private ConnectionOptions options;
    private Connection open;
    private long batches;

    @BeforeEach
    void open() throws Exception {
        database = TestDatabase.create();
        options = Fleet.options(database);
        open = options.connect("test");
        open.setAutoCommit(false);
    }

    @AfterEach
    void close() throws Exception {
        open.close();
        database.close();
    }

    private CopySetup<Tuple> setup(TargetTable table, boolean rejecting) {
        BatchLimits limits = new BatchLimits(100, Long.MAX_VALUE, Duration.ofSeconds(1));
        CopyOptions copy = new CopyOptions(options, limits, true, Duration.ofSeconds(30), true, Fleet.CHUNK);
        RowPolicy policy = rejecting ? RowPolicy.STRICT.rejecting(new RejectOptions("", "load", 0)) : RowPolicy.STRICT;
        return new CopySetup<>(copy, table, Fleet.COLUMNS, (tuple, writer) -> tuple, policy);
    }

    /** The fleet's rows from the first up to the last but one. */
    private Batch rows(long from, long to) {
        TupleWriter writer = new TupleWriter(Fleet.COLUMNS);
        Batch batch = new Batch();
        batch.reset(++batches);
        for (long n = from; n < to; n++) {
            batch.add(Fleet.row(writer, n));
        }
        return batch;
    }

    private Batch rowsAt(long... times) {
        TupleWriter writer = new TupleWriter(Fleet.COLUMNS);
        Batch batch = new Batch();
        batch.reset(++batches);
        for (long time : times) {
            writer.begin();
            if (Tuple.isFinite(time)) {
                writer.putTimestamp(time);
            } else {
                writer.putInt8(time == Long.MAX_VALUE ? time : Long.MIN_VALUE);
            }
            writer.putText("host");
            writer.putInt8(0);
            writer.putFloat8(0);
            batch.add(writer.end());
        }
        return batch;
    }

    /** The lock that the maker of a chunk holds, and every other one waits for. */
    private void assertHasMadeNoChunk() throws SQLException {
        try (Statement statement = open.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid()"
                        + " AND relation = 'fleet'::regclass AND mode = 'ShareUpdateExclusiveLock'")) {
            row.next();
            assertThat(row.getLong(1)).isZero();
        }
    }

    private long chunks() {
        return database.count("SELECT count(*) FROM pg_inherits WHERE inhparent = 'fleet'::regclass");
    }

    private String someChunk() {
        return database.one("SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'fleet'::regclass");
    }

    /** Row 229 is the last of the 600 that is tried. */
    @ParameterizedTest
    @ValueSource(strings = {"n < 500", "n <> 229", "n % 200 > 0", "n >= 0"})
    void aChunkThatBeginsWithManyBadRows(String bad) throws Exception {
        TargetTable table = Fleet.create(options, Layout.HYPERTABLE);
        database.execute("ALTER TABLE fleet ADD CONSTRAINT good CHECK (NOT (" + bad + "))");
        Loaded loaded = setup(table, true).loadOfManyBatches().load(open, rows(0, 600));
        long refused = database.count("SELECT count(*) FROM generate_series(0, 599) n WHERE " + bad);
        assertThat(loaded.inserted()).isEqualTo(600 - refused);
        assertThat(loaded.refused())
                .hasSize((int) refused)
                .allMatch(row -> row.reason().contains("violates check constraint \"good\""));
        assertThat(loaded.refused().stream().map(RefusedRow::row).distinct()).hasSize((int) refused);
        assertHasMadeNoChunk();
        assertThat(chunks()).isEqualTo(refused == 600 ? 0 : 1);
        open.commit();
        assertThat(database.count("SELECT count(DISTINCT n) FROM fleet WHERE NOT (" + bad + ")"))
                .isEqualTo(600 - refused);
    }

    @Test
    void severalChunksOneOfThemWithoutAGoodRow() throws Exception {
        TargetTable table = Fleet.create(options, Layout.HYPERTABLE);
        database.execute("ALTER TABLE fleet ADD CONSTRAINT good CHECK (n NOT BETWEEN 6000 AND 11999)");
        Loaded loaded = setup(table, true).loadOfManyBatches().load(open, rows(CHUNK_ROWS - 500, CHUNK_ROWS + 200));
        assertThat(loaded.inserted()).isEqualTo(500);
        assertThat(loaded.refused()).hasSize(200);
        assertHasMadeNoChunk();
        assertThat(chunks()).isEqualTo(1);
    }

    /** A row that the server takes only as a trigger leaves it is a good one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rowsThatATriggerMends(boolean rejecting) throws Exception {
        TargetTable table = Fleet.create(options, Layout.HYPERTABLE);
        database.execute("ALTER TABLE fleet ADD CHECK (n >= 1000)");
        database.execute(
                "CREATE FUNCTION mend() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.n := new.n + 1000; RETURN new; END $$");
        database.execute("CREATE TRIGGER mend BEFORE INSERT ON fleet FOR EACH ROW EXECUTE FUNCTION mend()");
        Loaded loaded = setup(table, rejecting).loadOfManyBatches().load(open, rows(0, 300));
        assertThat(loaded).isEqualTo(Loaded.inserted(300));
        assertHasMadeNoChunk();
    }

    @Test
    void whereNoRowsAreLeftOutABadOneFailsTheBatch() throws Exception {
        TargetTable table = Fleet.create(options, Layout.HYPERTABLE);
        database.execute("ALTER TABLE fleet ADD CONSTRAINT good CHECK (n > 5)");
        assertThatThrownBy(() -> setup(table, false).loadOfManyBatches().load(open, rows(0, 300)))
                .hasMessageContaining("violates check constraint \"good\"");
        assertHasMadeNoChunk();
    }

    @Test
    void infinityHasAChunk() throws Exception {
        TargetTable table = Fleet.create(options, Layout.HYPERTABLE);
        BatchLoad load = setup(table, true).loadOfManyBatches();
        for (int i = 0; i < 2; i++) {
            Loaded loaded = load.load(open, rowsAt(Long.MAX_VALUE, 0, Long.MIN_VALUE + 1));
            assertHasMadeNoChunk();
            assertThat(loaded.inserted()).isEqualTo(2);
            assertThat(loaded.refused()).extracting(RefusedRow::row).containsExactly(2);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HYPERTABLE, DROP TABLE %1$s",
        "PARTITIONED, DROP TABLE %1$s",
        "PARTITIONED, ALTER TABLE fleet DETACH PARTITION %1$s; ALTER TABLE %1$s RENAME TO detached"
    })
    void droppedBetweenTwoTransactions(Layout layout, String drop) throws Exception {
        TargetTable table = Fleet.create(options, layout);
        BatchLoad load = setup(table, true).loadOfManyBatches();
        load.transactionBegins();
        load.load(open, rows(0, 300));
        open.commit();
        database.execute(String.format(drop, someChunk()));
        load.transactionBegins();
        assertThat(load.load(open, rows(0, 200))).isEqualTo(Loaded.inserted(200));
        assertHasMadeNoChunk();
        assertThat(chunks()).isEqualTo(1);
        // From now on it stays.
        assertThatThrownBy(() -> Fleet.execute(options, "SET lock_timeout = '100ms'; DROP TABLE " + someChunk()))
                .hasMessageContaining("lock timeout");
        open.commit();
        Fleet.assertHolds(options, 200);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPartitionDroppedInALoadOfBatches(boolean rejecting) throws Exception {
        TargetTable table = Fleet.create(options, Layout.PARTITIONED);
        CopyChannel channel = new CopyChannel(
                new CopyConnection(options, "copy 0"), setup(table, rejecting).load());
        try (BatchSender sender = new BatchSender(
                channel,
                new RetryPolicy(Duration.ofSeconds(30)),
                new SinkMetrics(new CountingGroup()),
                new BatchNames(table.name(), 0))) {
            for (int i = 0; i < 3; i++) {
                assertThat(sender.send(rows(0, 200))).isEqualTo(Loaded.inserted(200));
                Fleet.assertHolds(options, 200);
                database.execute("DROP TABLE " + someChunk());
            }
        }
    }

    @Test
    void chunksAreAskedForAgainNowAndThen() throws Exception {
        TargetTable table = Fleet.create(options, Layout.HYPERTABLE);
        CopyStatement statement = new CopyStatement(table.name().sql(), table, Fleet.COLUMNS, CopyFilter.NONE);
        ChunksAhead chunks = new ChunksAhead(options, new ChunkRanges(table), statement, false, Duration.ZERO);
        chunks.makeFor(open, rows(0, 10));
        database.execute("DROP TABLE " + someChunk());
        chunks.makeFor(open, rows(0, 10));
        assertThat(chunks()).isEqualTo(1);
        Fleet.assertHolds(options, 0);
    }

    @Test
    void aRowFarOffGetsAPartitionOfItsOwn() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PARTITIONED);
        long far = 9_000_000_000_000_000_000L;
        Loaded loaded = setup(table, true)
                .loadOfManyBatches()
                .load(open, rowsAt(0, 1, far, -far, Long.MAX_VALUE, Tuple.NO_TIME + 1));
        assertThat(loaded.inserted()).isEqualTo(3);
        assertThat(loaded.refused()).hasSize(3);
        assertThat(chunks()).isEqualTo(2);
    }

    /** The open transaction, with what is in it, outlives the connection that makes chunks. */
    @ParameterizedTest
    @EnumSource(
            value = Layout.class,
            names = {"HYPERTABLE", "PARTITIONED"})
    void theConnectionThatMakesChunksIsLost(Layout layout) throws Exception {
        TargetTable table = Fleet.create(options, layout);
        TransactionId id = TransactionId.next(database.schema(), 0, 1);
        try (TransactionSender sender = new TransactionSender(
                new CopyConnection(options, "copy 0"),
                setup(table, false).loadOfManyBatches(),
                new RetryPolicy(Duration.ofSeconds(60)),
                new SinkMetrics(new CountingGroup()),
                new BatchNames(table.name(), 0))) {
            sender.send(rows(0, CHUNK_ROWS));
            Batch next = rows(CHUNK_ROWS, CHUNK_ROWS + 100);
            CompletableFuture<Void> sent;
            try (Statement statement = open.createStatement()) {
                statement.execute("SELECT pg_advisory_xact_lock(hashtextextended('chunkroll ' || " + "'"
                        + table.name().sql() + "', 0))");
                sent = CompletableFuture.runAsync(() -> send(sender, next));
                for (int i = 0; i < 2; i++) {
                    await().atMost(30, TimeUnit.SECONDS).until(() -> endMakers() == 1);
                }
                open.rollback();
            }
            sent.get(60, TimeUnit.SECONDS);
            assertThat(sender.prepare(id)).isPresent();
        }
        database.execute("COMMIT PREPARED '" + id.gid() + "'");
        Fleet.assertHolds(options, CHUNK_ROWS + 100);
    }

    private static void send(TransactionSender sender, Batch batch) {
        try {
            sender.send(batch);
        } catch (CopyException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private long endMakers() {
        return database.count(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'advisory'"
                        + " AND application_name IN ('chunkroll chunks', 'chunkroll partitions')");
    }
}
