package io.chunkroll.sinks.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chunkroll.rows.BadValueException;
import io.chunkroll.rows.ParseOptions;
import io.chunkroll.rows.RowEncoder;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.server.TestDatabase;
import io.chunkroll.sinks.Fleet;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TargetTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that only the server can refuse: they are left out and told of, all others are loaded, in one transaction. */
@Timeout(120)
class RejectingLoadITCase {
    private TestDatabase database;
    private ConnectionOptions options;

    @BeforeEach
    void open() {
        database = TestDatabase.create();
        options = Fleet.options(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** Loads and commits the batch; the refused rows as {@code row [column] reason}. */
    private List<String> load(TargetTable table, Batch batch) throws SQLException {
        try (Connection connection = options.connect("test")) {
            connection.setAutoCommit(false);
            RowsLoad direct = RowsLoad.direct(
                    new CopyStatement(table.name().sql(), table, table.columns(), CopyFilter.NONE), true);
            Loaded loaded = new RejectingLoad(direct, ChunkMaker.NONE).load(connection, batch);
            connection.commit();
            assertThat(loaded.inserted() + loaded.refused().size()).isEqualTo(batch.rows());
            List<String> refused = new ArrayList<>();
            loaded.refused().forEach(row -> refused.add(row.row() + " [" + row.column() + "] " + row.reason()));
            return refused;
        }
    }

    /** Loads rows of texts, null for NULL, and asserts that the server refuses those before the last, each for the reason given. */
    private void assertRefuses(String table, String[][] rows, String... reasons) throws Exception {
        TargetTable target = Fleet.read(options, table);
        RowEncoder encoder = new RowEncoder(target.columns(), ParseOptions.DEFAULT);
        Batch batch = new Batch();
        for (String[] row : rows) {
            batch.add(encode(encoder, row));
        }
        List<String> refused = load(target, batch);
        assertThat(refused).hasSize(reasons.length);
        for (int i = 0; i < reasons.length; i++) {
            assertThat(refused.get(i)).contains(reasons[i]);
        }
        assertThat(database.count("SELECT count(*) FROM " + table)).isEqualTo(rows.length - reasons.length);
    }

    private static Tuple encode(RowEncoder encoder, String[] row) throws BadValueException {
        encoder.begin();
        for (String text : row) {
            if (text == null) {
                encoder.nullField();
            } else {
                encoder.field(text.getBytes(UTF_8), 0, text.getBytes(UTF_8).length);
            }
        }
        return encoder.end();
    }

    private static Batch fleet(int rows) {
        TupleWriter writer = new TupleWriter(Fleet.COLUMNS);
        Batch batch = new Batch();
        for (int n = 0; n < rows; n++) {
            batch.add(Fleet.row(writer, n));
        }
        return batch;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "n = 0",
                "n = 999",
                "n IN (0, 999)",
                "n IN (500, 501, 502)",
                "n % 10 = 3",
                "n % 2 = 0",
                "n > 600",
                "n >= 0",
                "n < 0"
            })
    void exactlyTheGuiltyRowsAreLeftOut(String guilty) throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        database.execute("ALTER TABLE fleet ADD CONSTRAINT innocent CHECK (NOT (" + guilty + "))");
        List<String> refused = load(table, fleet(1_000));
        long bad = database.count("SELECT count(*) FROM generate_series(0, 999) n WHERE " + guilty);
        assertThat(refused).hasSize((int) bad).allMatch(row -> row.contains("violates check constraint \"innocent\""));
        assertThat(database.count("SELECT count(DISTINCT n) FROM fleet")).isEqualTo(1_000 - bad);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void inEveryLayout(Layout layout) throws Exception {
        TargetTable table = Fleet.create(options, layout);
        if (layout == Layout.PARTITIONED) {
            database.execute("CREATE TABLE rest PARTITION OF fleet DEFAULT");
        }
        database.execute("ALTER TABLE fleet ADD CONSTRAINT odd CHECK (n % 100 <> 7)");
        assertThat(load(table, fleet(10_000))).hasSize(100);
        assertThat(database.count("SELECT count(DISTINCT n) FROM fleet")).isEqualTo(9_900);
    }

    @Test
    void allInOneTransaction() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        database.execute("ALTER TABLE fleet ADD CONSTRAINT odd CHECK (n % 100 <> 7)");
        try (Connection connection = options.connect("test")) {
            connection.setAutoCommit(false);
            CopyStatement statement = new CopyStatement(table.name().sql(), table, Fleet.COLUMNS, CopyFilter.NONE);
            RejectingLoad load = new RejectingLoad(RowsLoad.direct(statement, true), ChunkMaker.NONE);
            assertThat(load.load(connection, fleet(1_000)).inserted()).isEqualTo(990);
            assertThat(load.load(connection, fleet(1_000)).inserted()).isEqualTo(990);
            assertThat(database.count("SELECT count(*) FROM fleet")).isZero();
            connection.rollback();
        }
        assertThat(database.count("SELECT count(*) FROM fleet")).isZero();
    }

    @Test
    void valuesThatDoNotFitTheirColumn() throws Exception {
        database.execute("CREATE DOMAIN percent AS numeric(5,2) CHECK (value <= 100)");
        database.execute("CREATE TABLE t (name varchar(3) NOT NULL, price numeric(4,2), share percent)");
        assertRefuses(
                "t",
                new String[][] {
                    {"abcd", "1", "1"}, {"abc", "100", "1"}, {"abc", "1", "100.5"}, {null, "1", "1"}, {"ok", "1", "1"}
                },
                "0 [name] value too long for type character varying(3)",
                "1 [price] numeric field overflow",
                "value for domain percent violates check constraint",
                "3 [name] null value in column \"name\" of relation \"t\" violates not-null constraint");
    }

    @Test
    void uniqueViolationsWithinTheBatchAndAgainstTheTable() throws Exception {
        database.execute("CREATE TABLE t (id int CONSTRAINT once PRIMARY KEY, note text)");
        database.execute("INSERT INTO t VALUES (1, 'before')");
        TargetTable target = Fleet.read(options, "t");
        RowEncoder encoder = new RowEncoder(target.columns(), ParseOptions.DEFAULT);
        Batch batch = new Batch();
        for (String id : new String[] {"1", "2", "2", "3"}) {
            batch.add(encode(encoder, new String[] {id, "new"}));
        }
        assertThat(load(target, batch))
                .containsExactly(
                        "0 [] duplicate key value violates unique constraint \"once\" (Key (id)=(1) already exists.)",
                        "2 [] duplicate key value violates unique constraint \"once\" (Key (id)=(2) already exists.)");
        assertThat(database.one("SELECT string_agg(id || note, ' ' ORDER BY id) FROM t"))
                .isEqualTo("1before 2new 3new");
    }

    /** Foreign keys are checked at the end of the statement, where the server names no line. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ADD CONSTRAINT known FOREIGN KEY (n) REFERENCES numbers",
                "ADD CONSTRAINT known FOREIGN KEY (n) REFERENCES numbers DEFERRABLE INITIALLY DEFERRED"
            })
    void foreignKeys(String constraint) throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        database.execute("CREATE TABLE numbers (n bigint PRIMARY KEY)");
        database.execute("INSERT INTO numbers SELECT n FROM generate_series(0, 999) n WHERE n NOT IN (0, 300, 999)");
        database.execute("ALTER TABLE fleet " + constraint);
        assertThat(load(table, fleet(1_000)))
                .hasSize(3)
                .allMatch(row -> row.contains("violates foreign key constraint \"known\" (Key (n)=("));
    }

    @Test
    void deferrableUniqueConstraintsAreCheckedAtOnce() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        database.execute("INSERT INTO fleet VALUES (now(), 'here before', 150, 0)");
        database.execute("ALTER TABLE fleet ADD CONSTRAINT once UNIQUE (n) DEFERRABLE INITIALLY DEFERRED");
        assertThat(load(table, fleet(1_000)))
                .singleElement()
                .asString()
                .contains("unique constraint \"once\" (Key (n)=(150) already exists.)");
    }

    @Test
    void whatATriggerRaisesOrDrops() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        database.execute("""
                CREATE FUNCTION guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF new.n = 5 THEN RAISE EXCEPTION 'not on my watch: %', new.n; END IF;
                    IF new.n IN (17, 18) THEN RETURN NULL; END IF;
                    RETURN new; END $$""");
        database.execute("CREATE TRIGGER guard BEFORE INSERT ON fleet FOR EACH ROW EXECUTE FUNCTION guard()");
        assertThat(load(table, fleet(100)))
                .containsExactlyInAnyOrder(
                        "5 [] not on my watch: 5",
                        "17 [] COPY stored 0 of 1 rows; a trigger or a rule of the table drops the others",
                        "18 [] COPY stored 0 of 1 rows; a trigger or a rule of the table drops the others");
    }

    @Test
    void rowsThatNoPartitionTakes() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PARTITIONED);
        database.execute(
                "CREATE TABLE day PARTITION OF fleet FOR VALUES FROM ('2016-01-03 00:00:10+00') TO ('2016-01-04')");
        assertThat(load(table, fleet(1_000)))
                .hasSize(100)
                .allMatch(row -> row.contains("no partition of relation \"fleet\" found for row"));
    }

    @Test
    void inTheTextFormatTheServerParsesTheValues() throws Exception {
        database.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')");
        database.execute("CREATE TABLE t (id smallint, m mood, u uuid, j json, tags text[], ts timestamptz, f real)");
        String uuid = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11";
        assertRefuses(
                "t",
                new String[][] {
                    {"1", "glad", uuid, "{}", "{}", null, "1"},
                    {"40000", "ok", uuid, "{}", "{}", null, "1"},
                    {"3", "ok", "no-uuid", "{}", "{}", null, "1"},
                    {"4", "ok", uuid, "{", "{}", null, "1"},
                    {"5", "ok", uuid, "{}", "{", null, "1"},
                    {"6", "ok", uuid, "{}", "{}", null, "1e99"},
                    {"7", "ok", uuid, "{}", "{a,\"\\\\\"}", null, "1"},
                },
                "0 [m] invalid input value for enum mood: \"glad\"",
                "1 [id] value \"40000\" is out of range for type smallint",
                "2 [u] invalid input syntax for type uuid: \"no-uuid\"",
                "3 [j] invalid input syntax for type json",
                "4 [tags] malformed array literal",
                "5 [f] \"1e99\" is out of range for type real");
    }

    /** The words of another language hold no line that is understood: then it is halved. */
    @Test
    void aLongIndexKey() throws Exception {
        database.execute("CREATE TABLE t (id int, name text)");
        database.execute("CREATE INDEX by_name ON t (name)");
        StringBuilder incompressible = new StringBuilder();
        java.util.Random random = new java.util.Random(1);
        random.ints(20_000, 'a', 'z').forEach(c -> incompressible.append((char) c));
        assertRefuses("t", new String[][] {{"1", "a"}, {"2", incompressible.toString()}, {"3", "c"}}, "1 [] index row");
    }

    @Test
    void whatIsNotTheRowsFaultFailsTheBatch() throws Exception {
        TargetTable table = Fleet.create(options, Layout.PLAIN);
        database.execute("ALTER TABLE fleet RENAME TO gone");
        assertThatThrownBy(() -> load(table, fleet(10)))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("does not exist");
    }
}
