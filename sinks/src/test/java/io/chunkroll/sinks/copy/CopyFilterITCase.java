package io.chunkroll.sinks.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.server.TestDatabase;
import io.chunkroll.sinks.Fleet;
import io.chunkroll.sinks.reject.RejectOptions;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TargetException;
import io.chunkroll.sinks.table.TargetTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the server leaves out by {@code COPY … WHERE}, on every layout, and what it says of expressions that are none. */
@Timeout(120)
class CopyFilterITCase {
    /** Rows of one chunk. */
    private static final int CHUNK_ROWS = 6_000;

    private TestDatabase database;
    private ConnectionOptions options;
    private Connection open;
    private boolean hasMadeChunk;

    @BeforeEach
    void open() throws Exception {
        database = TestDatabase.create();
        options = Fleet.options(database);
        open = options.connect("test");
    }

    @AfterEach
    void close() throws Exception {
        open.close();
        database.close();
    }

    private CopySetup<Tuple> setup(TargetTable table, String where, boolean rejecting) {
        BatchLimits limits = new BatchLimits(100_000, Long.MAX_VALUE, Duration.ofSeconds(1));
        CopyOptions copy = new CopyOptions(options, limits, true, Duration.ofSeconds(30), true, Fleet.CHUNK);
        RowPolicy policy = RowPolicy.STRICT.where(new CopyFilter(where));
        return new CopySetup<>(
                copy,
                table,
                Fleet.COLUMNS,
                (tuple, writer) -> tuple,
                rejecting ? policy.rejecting(new RejectOptions("", "load", 0)) : policy);
    }

    private static Batch rows(long from, long to) {
        TupleWriter writer = new TupleWriter(Fleet.COLUMNS);
        Batch batch = new Batch();
        batch.reset(1);
        for (long n = from; n < to; n++) {
            batch.add(Fleet.row(writer, n));
        }
        return batch;
    }

    private Loaded load(BatchLoad load, Batch batch) throws SQLException {
        open.setAutoCommit(false);
        try {
            load.transactionBegins();
            Loaded loaded = load.load(open, batch);
            hasMadeChunk = holdsTheLockOfAChunksMaker();
            open.commit();
            return loaded;
        } catch (SQLException e) {
            open.rollback();
            throw e;
        }
    }

    private boolean holdsTheLockOfAChunksMaker() throws SQLException {
        try (Statement statement = open.createStatement();
                var row = statement.executeQuery("SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid()"
                        + " AND relation = 'fleet'::regclass AND mode = 'ShareUpdateExclusiveLock'")) {
            row.next();
            return row.getLong(1) > 0;
        }
    }

    private long chunks() {
        return database.count("SELECT count(*) FROM pg_inherits WHERE inhparent = 'fleet'::regclass");
    }

    private String content() {
        return database.one("SELECT count(*) || ' ' || coalesce(sum(n), 0) || ' ' || count(DISTINCT n) FROM fleet");
    }

    @ParameterizedTest
    @CsvSource({
        "PLAIN,false",
        "PLAIN,true",
        "HYPERTABLE,false",
        "HYPERTABLE,true",
        "PARTITIONED,false",
        "PARTITIONED,true"
    })
    void rowsForWhichItIsNotTrueAreLeftOutAndCounted(Layout layout, boolean manyBatches) throws Exception {
        TargetTable table = Fleet.create(options, layout);
        CopySetup<Tuple> setup = setup(table, "n % 3 = 1 AND host <> 'host_4' -- of all", false);
        BatchLoad load = manyBatches ? setup.loadOfManyBatches() : setup.load();

        Loaded loaded = load(load, rows(0, 2 * CHUNK_ROWS));

        long kept = database.count("SELECT count(*) FROM generate_series(0, " + (2 * CHUNK_ROWS - 1)
                + ") n WHERE n % 3 = 1 AND n % 100 <> 4");
        long sum = database.count("SELECT sum(n) FROM generate_series(0, " + (2 * CHUNK_ROWS - 1)
                + ") n WHERE n % 3 = 1 AND n % 100 <> 4");
        assertThat(loaded).isEqualTo(Loaded.inserted(kept).withFiltered(2 * CHUNK_ROWS - kept));
        assertThat(content()).isEqualTo(kept + " " + sum + " " + kept);
    }

    /** TimescaleDB makes them for rows that are left out, too, and so they must be made ahead of a transaction that stays open. */
    @ParameterizedTest
    @CsvSource({"false,false", "false,true", "true,false", "true,true"})
    void chunksAreMadeAheadForAllRows(boolean manyBatches, boolean rejecting) throws Exception {
        TargetTable table = Fleet.create(options, Layout.HYPERTABLE);
        CopySetup<Tuple> setup = setup(table, "n = 11999 OR n < 0", rejecting);
        BatchLoad load = manyBatches ? setup.loadOfManyBatches() : setup.load();

        assertThat(load(load, rows(0, CHUNK_ROWS))).isEqualTo(Loaded.inserted(0).withFiltered(CHUNK_ROWS));
        assertThat(hasMadeChunk).isFalse();
        assertThat(load(load, rows(0, 2 * CHUNK_ROWS)))
                .isEqualTo(Loaded.inserted(1).withFiltered(2 * CHUNK_ROWS - 1));
        assertThat(hasMadeChunk).isFalse();
        assertThat(chunks()).isEqualTo(2);
        assertThat(content()).isEqualTo("1 11999 1");
    }

    /** What the filter leaves out breaks no constraint. */
    @ParameterizedTest
    @EnumSource(Layout.class)
    void rowsThatTheServerRefusesAreThoseThatPass(Layout layout) throws Exception {
        TargetTable table = Fleet.create(options, layout);
        database.execute("ALTER TABLE fleet ADD CHECK (n % 100 > 1)");

        Loaded loaded = load(setup(table, "host <> 'host_1'", true).load(), rows(0, 1_000));

        assertThat(loaded.inserted()).isEqualTo(980);
        assertThat(loaded.filtered()).isEqualTo(10);
        assertThat(loaded.refused()).hasSize(10).allMatch(row -> row.row() % 100 == 0);
        assertThat(content()).startsWith("980 ");
    }

    /** The expression itself fails for a row: that is refused, like one with a value that does not fit. */
    @ParameterizedTest
    @EnumSource(Layout.class)
    void anExpressionThatFailsForARowRefusesIt(Layout layout) throws Exception {
        TargetTable table = Fleet.create(options, layout);
        String where = "1000 / (n - 7) <> 0";

        Loaded loaded = load(setup(table, where, true).load(), rows(0, 100));

        assertThat(loaded.refused()).singleElement().satisfies(row -> {
            assertThat(row.row()).isEqualTo(7);
            assertThat(row.reason()).contains("division by zero");
        });
        assertThat(content()).startsWith("99 ");
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> load(setup(table, where, false).load(), rows(0, 100)))
                .withMessageContaining("division by zero");
    }

    private void assertFault(String where, String... words) throws SQLException {
        TargetTable table = Fleet.read(options, "fleet");
        assertThatExceptionOfType(TargetException.class)
                .isThrownBy(() -> new CopyFilter(where).check(open, table, Fleet.COLUMNS))
                .satisfies(e -> assertThat(e.getMessage())
                        .startsWith("sink.where \"" + where + "\": ")
                        .contains(words));
        assertThat(database.one("SELECT to_regclass('fleet')")).isEqualTo("fleet");
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void whatIsNoExpressionOverTheColumnsIsFoundBefore(Layout layout) throws Exception {
        TargetTable table = Fleet.create(options, layout);
        assertFault("value >", "syntax error");
        assertFault("n) ; DROP TABLE fleet; SELECT (1", "one expression, without a semicolon");
        assertFault("n > 0;", "syntax error at or near \";\"");
        assertFault("n > 0) (n < 5", "syntax error");
        assertFault("n > 0) -- ", "syntax error");
        assertFault("n > 0 /*", "unterminated /* comment");
        assertFault("m > 0", "column \"m\" does not exist", "the columns that are loaded", "host text");
        assertFault("fleet.n > 0", "without the table's name");
        assertFault("n + 1", "type boolean");
        assertFault("n IN (SELECT 1)", "subquer", "job.map");
        assertFault("count(*) > 1", "aggregate");
        new CopyFilter("host <> ';' AND n > 0 -- all of them").check(open, table, Fleet.COLUMNS);
        CopyFilter.NONE.check(open, table, Fleet.COLUMNS);
        assertThat(open.getAutoCommit()).isTrue();
        assertThat(Fleet.one(options, "SELECT count(*) FROM fleet")).isEqualTo("0");
    }

    /** A trigger may drop rows too, which only then passes for the filter. */
    @Test
    void withoutAFilterACountThatIsShortIsStillAFault() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        database.execute("CREATE FUNCTION drop_it() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';"
                + " CREATE TRIGGER t BEFORE INSERT ON fleet FOR EACH ROW WHEN (new.n = 5) EXECUTE FUNCTION drop_it()");
        assertThatExceptionOfType(SQLException.class)
                .isThrownBy(() -> load(setup(table, "", false).load(), rows(0, 10)))
                .withMessageContaining("COPY stored 9 of 10 rows");
        assertThat(load(setup(table, "n < 8", false).load(), rows(0, 10)).filtered())
                .isEqualTo(3);
    }
}
