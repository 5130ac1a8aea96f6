package io.chunkroll.sinks.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chunkroll.rows.ParseOptions;
import io.chunkroll.rows.RowEncoder;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.server.TestDatabase;
import io.chunkroll.sinks.Fleet;
import io.chunkroll.sinks.table.Conflicts;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.OnConflict;
import io.chunkroll.sinks.table.TargetException;
import io.chunkroll.sinks.table.TargetTable;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a batch leaves in the table, and how its rows are counted. */
@Timeout(60)
class ConflictLoadITCase {
    private TestDatabase database;
    private ConnectionOptions options;
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        database = TestDatabase.create();
        options = Fleet.options(database);
        connection = options.connect("conflicts");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        database.close();
    }

    /** Loads rows whose fields are divided by commas, {@code -} for NULL, into the columns of the table. */
    private final class Loader {
        private final TableDescription columns;
        private final RowsLoad load;

        private Loader(String table, OnConflict mode, String... names) throws SQLException {
            TargetTable target = Fleet.read(options, table);
            TableDescription all = target.columns();
            columns = names.length == 0
                    ? all
                    : all.select(Stream.of(names).map(all::indexOf).toList());
            load = new ConflictLoad(target, columns, Conflicts.of(connection, target, columns, mode), CopyFilter.NONE);
        }

        Loaded load(String... rows) throws Exception {
            connection.setAutoCommit(false);
            try {
                Batch batch = batch(rows);
                Loaded loaded = load.load(connection, batch, load.order(batch), 0, batch.rows());
                connection.commit();
                return loaded;
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        }

        /** In two parts and one transaction, the second part tried twice. */
        Loaded loadInParts(int first, String... rows) throws Exception {
            connection.setAutoCommit(false);
            Batch batch = batch(rows);
            load.load(connection, batch, load.order(batch), 0, first);
            Savepoint savepoint = connection.setSavepoint();
            load.load(connection, batch, load.order(batch), first, rows.length);
            connection.rollback(savepoint);
            Loaded second = load.load(connection, batch, load.order(batch), first, rows.length);
            connection.commit();
            connection.setAutoCommit(true);
            return second;
        }

        private Batch batch(String... rows) throws Exception {
            RowEncoder encoder = new RowEncoder(columns, ParseOptions.DEFAULT);
            Batch batch = new Batch();
            for (String row : rows) {
                encoder.begin();
                for (String field : row.split(",")) {
                    byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
                    if (field.equals("-")) {
                        encoder.nullField();
                    } else {
                        encoder.field(bytes, 0, bytes.length);
                    }
                }
                batch.add(encoder.end());
            }
            return batch;
        }
    }

    private String content(String columns, String table) {
        return database.one(
                "SELECT string_agg(concat_ws(' ', " + columns + "), ', ' ORDER BY " + columns + ") FROM " + table);
    }

    private void createReadings(String layout) {
        database.execute("CREATE TABLE readings (time timestamptz NOT NULL, host text, v int)"
                + (layout.equals("partitioned") ? " PARTITION BY RANGE (time)" : ""));
        switch (layout) {
            case "hypertable" ->
                database.execute("SELECT create_hypertable('readings', by_range('time', INTERVAL '1 day'))");
            case "partitioned" -> {
                for (int day = 1; day < 4; day++) {
                    database.execute(
                            "CREATE TABLE readings_" + day + " PARTITION OF readings FOR VALUES FROM ('2016-01-0" + day
                                    + "') TO ('2016-01-0" + (day + 1) + "')");
                }
            }
            default -> assertThat(layout).isEqualTo("plain");
        }
        database.execute("CREATE UNIQUE INDEX ON readings (host, time)");
    }

    private String readings() {
        return content("host, extract(day FROM time AT TIME ZONE 'UTC'), v", "readings");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "hypertable", "partitioned"})
    void skipped(String layout) throws Exception {
        createReadings(layout);
        Loader loader = new Loader("readings", OnConflict.SKIP);

        assertThat(loader.load("2016-01-01,a,1", "2016-01-02,a,2", "2016-01-01,b,3", "2016-01-01,a,4"))
                .isEqualTo(new Loaded(3, 1, 0));
        assertThat(readings()).isEqualTo("a 1 4, a 2 2, b 1 3");
        assertThat(loader.load("2016-01-01,a,5", "2016-01-03,a,6", "2016-01-01,b,7", "2016-01-03,a,8"))
                .isEqualTo(new Loaded(1, 3, 0));
        assertThat(readings()).isEqualTo("a 1 4, a 2 2, a 3 8, b 1 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "hypertable", "partitioned"})
    void replaced(String layout) throws Exception {
        createReadings(layout);
        Loader loader = new Loader("readings", OnConflict.REPLACE);

        assertThat(loader.load("2016-01-01,a,1", "2016-01-02,a,2", "2016-01-01,b,3", "2016-01-01,a,4"))
                .isEqualTo(new Loaded(3, 0, 1));
        assertThat(readings()).isEqualTo("a 1 4, a 2 2, b 1 3");
        assertThat(loader.load("2016-01-01,a,5", "2016-01-03,a,6", "2016-01-01,b,-", "2016-01-03,a,8"))
                .isEqualTo(new Loaded(1, 0, 3));
        assertThat(readings()).isEqualTo("a 1 5, a 2 2, a 3 8, b 1");
        assertThat(loader.load("2016-01-03,a,9")).isEqualTo(new Loaded(0, 0, 1));
    }

    /** Rows without a host are all different, in one batch and over several. */
    @ParameterizedTest
    @EnumSource(names = {"SKIP", "REPLACE"})
    void nullsConflictWithNothing(OnConflict mode) throws Exception {
        createReadings("plain");
        Loader loader = new Loader("readings", mode);

        loader.load("2016-01-01,-,1", "2016-01-01,-,2", "2016-01-01,a,3");
        assertThat(loader.load("2016-01-01,-,1", "2016-01-01,a,4").inserted()).isEqualTo(1);
        assertThat(content("host, v", "readings")).endsWith("1, 1, 2");
    }

    @Test
    void nullsConflictWhereTheIndexSaysSo() throws Exception {
        database.execute("CREATE TABLE readings (host text, v int)");
        database.execute("CREATE UNIQUE INDEX ON readings (host) NULLS NOT DISTINCT");

        Loader loader = new Loader("readings", OnConflict.REPLACE);
        assertThat(loader.load("-,1", "-,2")).isEqualTo(new Loaded(1, 0, 1));
        assertThat(loader.load("-,3")).isEqualTo(new Loaded(0, 0, 1));
        assertThat(content("v", "readings")).isEqualTo("3");
    }

    @Test
    void namesAndTypesMayBeOdd() throws Exception {
        database.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')");
        database.execute(
                "CREATE TABLE \"Robert\"\"); drop table x;--\" (\"a \"\"b\" mood, \"order\" varchar(3), ctid_ int[],"
                        + " \"Größe\" numeric(6,2), PRIMARY KEY (\"a \"\"b\", \"order\"))");
        Loader loader = new Loader("Robert\"); drop table x;--", OnConflict.REPLACE);

        assertThat(loader.load("ok,x,{1},1.5", "sad,x,{2},-")).isEqualTo(new Loaded(2, 0, 0));
        assertThat(loader.load("ok,x,{3},2.25", "ok,y,-,0")).isEqualTo(new Loaded(1, 0, 1));
        assertThat(content("\"a \"\"b\", \"order\", ctid_, \"Größe\"", "\"Robert\"\"); drop table x;--\""))
                .isEqualTo("sad x {2}, ok x {3} 2.25, ok y 0.00");
    }

    /** Two texts that the column's collation takes as equal are one key within a batch as well. */
    @Test
    void keysAreComparedByTheColumnsCollation() throws Exception {
        database.execute("CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
        database.execute("CREATE TABLE names (name text COLLATE blind PRIMARY KEY, v int)");

        assertThat(new Loader("names", OnConflict.REPLACE).load("ab,1", "AB,2")).isEqualTo(new Loaded(1, 0, 1));
        assertThat(content("name, v", "names")).isEqualTo("AB 2");
    }

    @Test
    void columnsThatAreNotLoadedKeepTheirValues() throws Exception {
        database.execute(
                "CREATE TABLE readings (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, host text NOT NULL UNIQUE, v int,"
                        + " twice int GENERATED ALWAYS AS (2 * v) STORED, note text DEFAULT 'new')");
        Loader loader = new Loader("readings", OnConflict.REPLACE, "v", "host");

        loader.load("1,a");
        database.execute("UPDATE readings SET note = 'seen'");
        assertThat(loader.load("5,a", "7,b")).isEqualTo(new Loaded(1, 0, 1));
        assertThat(content("host, v, twice, note", "readings")).isEqualTo("a 5 10 seen, b 7 14 new");
        assertThat(database.count("SELECT id FROM readings WHERE host = 'a'")).isEqualTo(1);
    }

    @Test
    void aRowMayBeNothingButItsKey() throws Exception {
        database.execute("CREATE TABLE seen (host text, n int, PRIMARY KEY (host, n))");
        Loader loader = new Loader("seen", OnConflict.REPLACE);

        assertThat(loader.load("a,1", "a,2", "a,1")).isEqualTo(new Loaded(2, 0, 1));
        assertThat(loader.load("a,1", "b,1")).isEqualTo(new Loaded(1, 0, 1));
        assertThat(content("host, n", "seen")).isEqualTo("a 1, a 2, b 1");
    }

    /** Without a primary key, a row is skipped whichever of the indexes it conflicts with. */
    @Test
    void severalIndexesSkip() throws Exception {
        database.execute("CREATE TABLE pairs (a int UNIQUE, b int UNIQUE)");
        Loader loader = new Loader("pairs", OnConflict.SKIP);

        assertThat(loader.load("1,1", "2,2")).isEqualTo(new Loaded(2, 0, 0));
        assertThat(loader.load("1,3", "3,1", "3,3", "4,4", "4,5")).isEqualTo(new Loaded(2, 3, 0));
        assertThat(content("a, b", "pairs")).isEqualTo("1 1, 2 2, 3 3, 4 5");
    }

    @ParameterizedTest
    @EnumSource(names = {"SKIP", "REPLACE"})
    void aBatchMayBeLoadedInParts(OnConflict mode) throws Exception {
        createReadings("plain");
        Loader loader = new Loader("readings", mode);

        Loaded second = loader.loadInParts(2, "2016-01-01,a,1", "2016-01-01,b,2", "2016-01-01,a,3", "2016-01-01,c,4");
        assertThat(second.inserted()).isEqualTo(1);
        assertThat(second.rows()).isEqualTo(2);
        assertThat(readings()).isEqualTo(mode == OnConflict.SKIP ? "a 1 1, b 1 2, c 1 4" : "a 1 3, b 1 2, c 1 4");
        assertThat(loader.load("2016-01-01,c,5", "2016-01-01,d,6").inserted()).isEqualTo(1);
    }

    @Test
    void rowsThatTheServerRefusesAreLeftOutOfTheOthers() throws Exception {
        database.execute("CREATE TABLE checked (k int PRIMARY KEY, v int CHECK (v < 10), t varchar(2))");
        Loader loader = new Loader("checked", OnConflict.REPLACE);
        loader.load("1,0,a", "2,0,a");
        Batch batch = loader.batch("1,1,a", "2,10,b", "3,3,c", "4,4,toolong", "3,5,d", "5,5,e");

        connection.setAutoCommit(false);
        Loaded loaded = new RejectingLoad(loader.load, ChunkMaker.NONE).load(connection, batch);
        connection.commit();
        connection.setAutoCommit(true);
        assertThat(loaded.refused()).extracting(RefusedRow::row).containsExactlyInAnyOrder(1, 3);
        assertThat(loaded.inserted()).isEqualTo(2);
        assertThat(loaded.replaced()).isEqualTo(2);
        assertThat(content("k, v, t", "checked")).isEqualTo("1 1 a, 2 0 a, 3 5 d, 5 5 e");
    }

    /** What the server refuses for another reason than the key leaves the batch out, and the next begins with an empty staging table. */
    @Test
    void aRefusedBatchLeavesNothingBehind() throws Exception {
        database.execute("CREATE TABLE checked (k int PRIMARY KEY, v int CHECK (v < 10), t varchar(2))");
        Loader loader = new Loader("checked", OnConflict.REPLACE);

        assertThatThrownBy(() -> loader.load("1,1,a", "2,10,b")).hasMessageContaining("checked_v_check");
        assertThatThrownBy(() -> loader.load("1,1,a", "2,1,abc")).hasMessageContaining("character varying(2)");
        assertThat(loader.load("3,3,c")).isEqualTo(new Loaded(1, 0, 0));
        assertThat(content("k", "checked")).isEqualTo("3");
    }

    private void assertRefused(String table, OnConflict mode, List<String> columns, String... words) {
        assertThatThrownBy(() -> new Loader(table, mode, columns.toArray(String[]::new)))
                .isInstanceOf(TargetException.class)
                .message()
                .contains(words)
                .contains("sink.on-conflict " + mode.name().toLowerCase(Locale.ROOT));
    }

    @Test
    void aTableWithoutAKeyIsRefused() {
        database.execute("CREATE TABLE t (id bigserial PRIMARY KEY, time timestamptz, host text, v int)");
        List<String> loaded = List.of("time", "host", "v");

        assertRefused(
                "t",
                OnConflict.SKIP,
                loaded,
                "table " + database.schema() + ".t has none over columns that are loaded",
                "index t_pkey cannot serve, for it has the column id, which is not loaded",
                "CREATE UNIQUE INDEX ON \"" + database.schema() + "\".\"t\" (\"time\")");
        database.execute("CREATE UNIQUE INDEX lower_host ON t (lower(host), time)");
        database.execute("CREATE UNIQUE INDEX positive ON t (host, time) WHERE v > 0");
        assertRefused(
                "t",
                OnConflict.REPLACE,
                loaded,
                "lower_host cannot serve, for it is over expressions",
                "positive cannot serve, for it covers only some rows");
        database.execute("ALTER TABLE t ADD CONSTRAINT late UNIQUE (host, time) DEFERRABLE");
        assertRefused("t", OnConflict.REPLACE, loaded, "late cannot serve, for it is deferrable");
        database.execute("CREATE UNIQUE INDEX good ON t (host, time)");
        assertRefused("t", OnConflict.SKIP, loaded, "constraint late", "Make it NOT DEFERRABLE");
    }

    @Test
    void oneOfSeveralKeysIsNotGuessed() {
        database.execute("CREATE TABLE pairs (a int, b int)");
        database.execute("CREATE UNIQUE INDEX one ON pairs (a)");
        database.execute("CREATE UNIQUE INDEX two ON pairs (b)");

        assertRefused("pairs", OnConflict.REPLACE, List.of("a", "b"), "one, two", "primary key");
    }

    @Test
    void theSameKeyTwiceIsOne() throws Exception {
        database.execute("CREATE TABLE pairs (a int, b int, v int)");
        database.execute("CREATE UNIQUE INDEX ON pairs (a, b)");
        database.execute("CREATE UNIQUE INDEX ON pairs (b, a) INCLUDE (v)");

        assertThat(new Loader("pairs", OnConflict.REPLACE).load("1,1,1", "1,1,2"))
                .isEqualTo(new Loaded(1, 0, 1));
    }

    @Test
    void thePrimaryKeyIsTheKey() throws Exception {
        database.execute("CREATE TABLE pairs (a int PRIMARY KEY, b int UNIQUE)");
        Loader loader = new Loader("pairs", OnConflict.REPLACE);

        loader.load("1,1", "2,2");
        assertThat(loader.load("2,3")).isEqualTo(new Loaded(0, 0, 1));
        assertThatThrownBy(() -> loader.load("3,3")).hasMessageContaining("pairs_b_key");
    }
}
