package io.chunkroll.sinks.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chunkroll.server.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class BulkLoadITCase {
    private static final Duration DAY = Duration.ofDays(1);
    private static final long DAY_MICROS = 86_400_000_000L;
    private static final String COLUMNS = "(\"Time\" timestamptz NOT NULL, host text, n int CHECK (n > 0))";
    private static final String ROWS =
            " SELECT '2016-01-03 00:00+00'::timestamptz + n * interval '1 h', 'h' || n % 5, n FROM generate_series(1, 20) n";

    private TestDatabase database;
    private ConnectionOptions server;
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        database = TestDatabase.create();
        server = new ConnectionOptions(database.url(), database.user(), database.password());
        connection = database.connect();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        database.close();
    }

    private TargetTable table() throws SQLException {
        return TargetTable.read(connection, TableName.parse("O'Table")).orElseThrow();
    }

    private TargetTable made(Layout layout) throws SQLException {
        database.execute("CREATE TABLE \"O'Table\" " + COLUMNS
                + (layout == Layout.PARTITIONED ? " PARTITION BY RANGE (\"Time\")" : ""));
        if (layout == Layout.HYPERTABLE) {
            database.execute("SELECT create_hypertable('\"O''Table\"', by_range('Time', INTERVAL '1 day'),"
                    + " create_default_indexes => false)");
        }
        database.execute("CREATE INDEX \"by'time\" ON \"O'Table\" (\"Time\" DESC NULLS LAST) WHERE host <> 'it''s'");
        database.execute("CREATE UNIQUE INDEX ON \"O'Table\" (lower(host), \"Time\" DESC) INCLUDE (n)");
        database.execute("COMMENT ON TABLE \"O'Table\" IS 'it''s mine'");
        return table();
    }

    /** Indexes and comment, which a bulk load leaves as they were. */
    private List<String> facts() throws SQLException {
        return List.of(
                String.join("\n", table().indexes(connection).stream().sorted().toList()),
                String.valueOf(database.one("SELECT obj_description('\"O''Table\"'::regclass)")));
    }

    private long indexes() {
        return database.count("SELECT count(*) FROM pg_index WHERE indrelid = '\"O''Table\"'::regclass");
    }

    private void assertAllAreValid() {
        assertThat(database.count("SELECT count(*) FROM pg_index i JOIN pg_class c ON c.oid = indrelid"
                        + " WHERE relnamespace = '" + database.schema() + "'::regnamespace AND NOT indisvalid"))
                .isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = Layout.class,
            names = {"PLAIN", "HYPERTABLE"})
    void anEmptyTableHasItsIndexesAgain(Layout layout) throws SQLException, InterruptedException {
        TargetTable table = made(layout);
        List<String> before = facts();
        try (BulkLoad load = BulkLoad.begin(server, table, false)) {
            assertThat(indexes()).isZero();
            database.execute("INSERT INTO \"O'Table\"" + ROWS);
            assertThat(load.finish(2, OptionalLong.empty())).isEqualTo(new BulkLoad.Finished(2, 0, 0));
        }
        assertThat(facts()).isEqualTo(before);
        assertAllAreValid();
        assertThat(database.count("SELECT count(*) FROM pg_stats WHERE schemaname = '" + database.schema() + "'"))
                .isPositive();
    }

    @Test
    void constraintsStayAndUniqueIndexesWhereTheyAreNeeded() throws SQLException, InterruptedException {
        TargetTable table = made(Layout.PLAIN);
        database.execute("ALTER TABLE \"O'Table\" ADD PRIMARY KEY (n)");
        List<String> before = facts();
        try (BulkLoad load = BulkLoad.begin(server, table, true)) {
            assertThat(indexes()).isEqualTo(2);
            load.finish(4, OptionalLong.of(64 << 20));
        }
        assertThat(facts()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(
            value = Layout.class,
            names = {"PLAIN", "HYPERTABLE"})
    void aTableWithRowsIsRefusedAndLeftAsItWas(Layout layout) throws SQLException {
        TargetTable table = made(layout);
        database.execute("INSERT INTO \"O'Table\"" + ROWS);
        List<String> before = facts();
        assertThatThrownBy(() -> BulkLoad.begin(server, table, false))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining(layout == Layout.PLAIN ? "has rows already" : "has chunks already")
                .hasMessageContaining("sink.load live");
        assertThat(facts()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"the trigger t", "the foreign key f", "the identity column id"})
    void partitionsThatWouldGetSomethingTooLateAreRefused(String what) throws SQLException {
        TargetTable table = made(Layout.PARTITIONED);
        database.execute("CREATE TABLE other (n int PRIMARY KEY)");
        database.execute("CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'");
        database.execute("ALTER TABLE \"O'Table\" "
                + switch (what) {
                    case "the foreign key f" -> "ADD CONSTRAINT f FOREIGN KEY (n) REFERENCES other";
                    case "the identity column id" -> "ADD COLUMN id int GENERATED ALWAYS AS IDENTITY";
                    default -> "REPLICA IDENTITY DEFAULT";
                });
        if (what.equals("the trigger t")) {
            database.execute("CREATE TRIGGER t BEFORE INSERT ON \"O'Table\" FOR EACH ROW EXECUTE FUNCTION nothing()");
        }
        assertThatThrownBy(() -> BulkLoad.begin(server, table, false))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining(what);
    }

    @ParameterizedTest
    @EnumSource(
            value = Layout.class,
            names = {"PLAIN", "HYPERTABLE"})
    void whatWasBrokenOffIsToldAndFinished(Layout layout) throws SQLException, InterruptedException {
        TargetTable table = made(layout);
        List<String> before = facts();
        try (BulkLoad load = BulkLoad.begin(server, table, false)) {
            database.execute("INSERT INTO \"O'Table\"" + ROWS);
            assertThatThrownBy(() -> BulkLeftovers.refuse(connection, table)).hasMessageContaining("is going on");
            assertThatThrownBy(() -> BulkLoad.begin(server, table, false)).hasMessageContaining("is going on");
        }
        assertThatThrownBy(() -> BulkLeftovers.refuse(connection, table))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("before all its rows were there")
                .hasMessageContaining("up to 2 are missing")
                .hasMessageContaining("leftovers --finish");
        assertThat(BulkLeftovers.list(connection)).hasSize(1);
        // One was built already.
        database.execute("CREATE INDEX \"by'time\" ON \"O'Table\" (\"Time\" DESC NULLS LAST) WHERE host <> 'it''s'");
        try (BulkLoad load = BulkLoad.resume(server, table)) {
            load.finish(2, OptionalLong.empty());
        }
        assertThat(facts()).isEqualTo(before);
        assertThat(BulkLeftovers.list(connection)).isEmpty();
        assertThatCode(() -> BulkLeftovers.refuse(connection, table)).doesNotThrowAnyException();
        assertThatThrownBy(() -> BulkLoad.resume(server, table)).hasMessageContaining("No bulk load into table");
        assertThat(database.count("SELECT count(*) FROM \"O'Table\"")).isEqualTo(20);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void whatWasBrokenOffIsDiscarded(Layout layout) throws SQLException, InterruptedException {
        TargetTable table = made(layout);
        List<String> before = facts();
        try (BulkLoad load = BulkLoad.begin(server, table, false)) {
            if (layout == Layout.PARTITIONED) {
                new BarePartitions(table, DAY, false).ensure(connection, 16_803);
            } else {
                database.execute("INSERT INTO \"O'Table\"" + ROWS);
            }
        }
        try (BulkLoad load = BulkLoad.resume(server, table)) {
            load.discard();
        }
        assertThat(facts()).isEqualTo(before);
        assertThat(database.count("SELECT count(*) FROM \"O'Table\"")).isZero();
        assertThat(database.count("SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace = '"
                        + database.schema() + "'::regnamespace"))
                .isEqualTo(layout == Layout.PARTITIONED ? 0 : 1);
    }

    @Test
    void aFailingIndexIsToldAndTheRestIsBuilt() throws SQLException, InterruptedException {
        TargetTable table = made(Layout.PLAIN);
        try (BulkLoad load = BulkLoad.begin(server, table, false)) {
            database.execute("INSERT INTO \"O'Table\"" + ROWS);
            database.execute("INSERT INTO \"O'Table\"" + ROWS);
            assertThatThrownBy(() -> load.finish(2, OptionalLong.empty()))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("could not create unique index");
            assertThat(indexes()).isEqualTo(1);
            assertThat(load.endEarly()).contains("when all its rows were there", "--discard");
        }
    }

    @Test
    void anEarlyEndWithoutRowsLeavesTheTableAsItWas() throws SQLException {
        TargetTable table = made(Layout.HYPERTABLE);
        List<String> before = facts();
        try (BulkLoad load = BulkLoad.begin(server, table, false)) {
            assertThat(load.endEarly()).contains("has its indexes");
        }
        assertThat(facts()).isEqualTo(before);
    }

    @Test
    void partitionsAreIndexedAndAttachedAsLiveOnesAre() throws SQLException, InterruptedException {
        TargetTable table = made(Layout.PARTITIONED);
        database.execute("ALTER TABLE \"O'Table\" ADD PRIMARY KEY (n, \"Time\"), ADD UNIQUE (\"Time\", n)");
        long day = 16_803;
        new PartitionMaker(table, DAY).ensure(connection, (day - 1) * DAY_MICROS, (day - 1) * DAY_MICROS);
        try (BulkLoad load = BulkLoad.begin(server, table, false)) {
            BarePartitions partitions = new BarePartitions(table, DAY, false);
            assertThat(partitions.intervalOf(day * DAY_MICROS)).isEqualTo(day);
            TableName bare = partitions.ensure(connection, day).orElseThrow();
            assertThat(bare.name()).isEqualTo("O'Table_p20160103T000000");
            // Another writer finds it; what is attached already is loaded through the parent.
            assertThat(new BarePartitions(table, DAY, false).ensure(connection, day))
                    .contains(bare);
            assertThat(partitions.ensure(connection, day - 1)).isEmpty();
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(database.count("SELECT count(*) FROM pg_index WHERE indrelid = '" + sql(bare) + "'::regclass"))
                    .isZero();
            database.execute("INSERT INTO " + bare.sql() + ROWS);
            assertThatThrownBy(() -> database.execute(
                            "INSERT INTO " + bare.sql() + " VALUES ('2016-01-04 00:00+00', 'late', 1)"))
                    .hasMessageContaining(BarePartitions.RANGE);
            assertThat(load.finish(2, OptionalLong.empty())).isEqualTo(new BulkLoad.Finished(0, 1, 20));
        }
        assertThat(database.count("SELECT count(*) FROM \"O'Table\"")).isEqualTo(20);
        String likeOthers =
                "SELECT string_agg(replace(replace(pg_get_indexdef(indexrelid), '20160102T', ''), '20160103T', ''),"
                        + " '; ' ORDER BY indexrelid::regclass::text) FROM pg_index WHERE indisvalid AND indrelid = '%s'::regclass";
        assertThat(database.one(likeOthers.formatted("\"O''Table_p20160103T000000\"")))
                .isEqualTo(database.one(likeOthers.formatted("\"O''Table_p20160102T000000\"")));
        // Each of its indexes is a part of one of the parent's.
        assertThat(database.count("SELECT count(*) FROM pg_inherits i JOIN pg_index x ON x.indexrelid = i.inhrelid"
                        + " WHERE x.indrelid = '\"O''Table_p20160103T000000\"'::regclass"))
                .isEqualTo(4);
        assertThat(database.count("SELECT count(*) FROM pg_constraint WHERE conname = '" + BarePartitions.RANGE + "'"))
                .isZero();
        assertThat(database.one("SELECT obj_description('\"O''Table_p20160103T000000\"'::regclass)"))
                .isNull();
        assertAllAreValid();
    }

    private static String sql(TableName name) {
        return name.sql().replace("'", "''");
    }

    /** The server counts how often a table is read from end to end: by us, to count its rows, and no second time. */
    @Test
    void attachingDoesNotReadThePartition() throws SQLException, InterruptedException {
        database.execute("CREATE TABLE \"O'Table\" " + COLUMNS + " PARTITION BY RANGE (\"Time\")");
        try (BulkLoad load = BulkLoad.begin(server, table(), false)) {
            TableName bare = new BarePartitions(table(), DAY, false)
                    .ensure(connection, 16_803)
                    .orElseThrow();
            database.execute("INSERT INTO " + bare.sql() + ROWS);
            load.finish(1, OptionalLong.empty());
        }
        assertThat(database.count("SELECT seq_scan FROM pg_stat_user_tables WHERE schemaname = '" + database.schema()
                        + "' AND relname = 'O''Table_p20160103T000000'"))
                .isEqualTo(1);
    }

    @Test
    void rowsThatBreakAUniqueIndexAreKnownWhileTheyCome() throws SQLException, InterruptedException {
        TargetTable table = made(Layout.PARTITIONED);
        try (BulkLoad load = BulkLoad.begin(server, table, true)) {
            TableName bare = new BarePartitions(table, DAY, true)
                    .ensure(connection, 16_803)
                    .orElseThrow();
            database.execute("INSERT INTO " + bare.sql() + ROWS);
            assertThatThrownBy(() -> database.execute("INSERT INTO " + bare.sql() + ROWS))
                    .hasMessageContaining("duplicate key");
            load.finish(1, OptionalLong.empty());
        }
        assertThat(database.count(
                        "SELECT count(*) FROM pg_index WHERE indrelid = '\"O''Table_p20160103T000000\"'::regclass"))
                .isEqualTo(2);
    }

    @Test
    void whatTheDefaultPartitionHoldsIsLoadedThroughTheParent() throws SQLException {
        TargetTable table = made(Layout.PARTITIONED);
        database.execute("CREATE TABLE others PARTITION OF \"O'Table\" DEFAULT");
        database.execute("INSERT INTO \"O'Table\"" + ROWS);
        BarePartitions partitions = new BarePartitions(table, DAY, false);
        assertThat(partitions.ensure(connection, 16_803)).isEmpty();
        assertThat(partitions.ensure(connection, 16_900)).isPresent();
        // Whoever drops the table drops them, too.
        TableMaker.drop(connection, table.name());
        assertThat(database.count("SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace = '"
                        + database.schema() + "'::regnamespace"))
                .isZero();
    }
}
