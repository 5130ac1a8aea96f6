package io.chunkroll.sinks.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.Index;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.server.TestDatabase;
import io.chunkroll.sinks.Fleet;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class TableMakerITCase {
    private static final TableName NAME = TableName.parse("Robert\"); drop table x;--");
    private static final TableDescription COLUMNS = new TableDescription(
            List.of(
                    new Column("Host's \"name\"", ColumnType.TEXT, "text", false),
                    new Column("Time\"'", ColumnType.TIMESTAMPTZ, "timestamp with time zone", true)),
            1,
            0);
    private static final long DAY = 86_400_000_000L;
    private static final long START = 1_451_779_200_000_000L;

    private TestDatabase database;
    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        database = TestDatabase.create();
        connection = database.connect();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        database.close();
    }

    private static TableDefinition definition(TableDescription columns, Layout layout) {
        return new TableDefinition(
                columns,
                layout,
                Duration.ofDays(1),
                List.of(Index.parse("Host's \"name\", Time\"' desc"), Index.parse("Time\"'")));
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void makesWhatItsDefinitionSays(Layout layout) throws SQLException {
        TableMaker.create(connection, NAME, definition(COLUMNS, layout));
        TargetTable table = TargetTable.read(connection, NAME).orElseThrow();
        assertThat(table.layout()).isEqualTo(layout);
        assertThat(table.columns().columns()).isEqualTo(COLUMNS.columns());
        assertThat(table.columns().timeColumn()).isEqualTo(1);
        assertThat(database.count("SELECT count(*) FROM pg_indexes WHERE schemaname = '" + database.schema() + "'"))
                .isEqualTo(2);
        assertThat(connection.getAutoCommit()).isTrue();
        TableMaker.drop(connection, NAME);
        assertThat(TargetTable.read(connection, NAME)).isEmpty();
        TableMaker.drop(connection, NAME);
    }

    @Test
    void aChunkCoversItsInterval() throws SQLException {
        TableMaker.create(connection, NAME, definition(COLUMNS, Layout.HYPERTABLE));
        database.execute(
                "INSERT INTO " + NAME.sql() + " SELECT 'h', '2016-01-03 00:00+00'::timestamptz + n * interval '6 h'"
                        + " FROM generate_series(0, 11) n");
        assertThat(database.count("SELECT count(DISTINCT tableoid) FROM " + NAME.sql()))
                .isEqualTo(3);
    }

    @Test
    void leavesNothingBehindWhenItFails() throws SQLException {
        TableDefinition wrong = new TableDefinition(
                COLUMNS, Layout.HYPERTABLE, Duration.ofDays(1), List.of(Index.parse("no such column")));
        assertThatThrownBy(() -> TableMaker.create(connection, NAME, wrong))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("no such column");
        assertThat(connection.getAutoCommit()).isTrue();
        assertThat(TargetTable.read(connection, NAME)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Layout.class,
            names = {"HYPERTABLE", "PARTITIONED"})
    void aLayoutByTimeNeedsATime(Layout layout) {
        assertThatThrownBy(() -> TableMaker.create(connection, NAME, definition(COLUMNS.withRoles(-1, 0), layout)))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("no time column")
                .hasMessageContaining("sink.layout plain");
    }

    @Test
    void aHypertableNeedsTimescale() throws SQLException {
        database.execute("CREATE DATABASE bare TEMPLATE template0");
        try (Connection bare = DriverManager.getConnection(
                database.server().jdbcUrl().replaceFirst("/[^/]+$", "/bare"), database.user(), database.password())) {
            assertThatThrownBy(() -> TableMaker.create(bare, NAME, definition(COLUMNS, Layout.HYPERTABLE)))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining("CREATE EXTENSION timescaledb")
                    .hasMessageContaining("plain or partitioned");
            TableMaker.create(bare, NAME, definition(COLUMNS, Layout.PLAIN));
            assertThat(TargetTable.read(bare, NAME).orElseThrow().layout()).isEqualTo(Layout.PLAIN);
        } finally {
            database.execute("DROP DATABASE bare");
        }
    }

    private TargetTable partitioned() throws SQLException {
        TableMaker.create(connection, NAME, definition(COLUMNS, Layout.PARTITIONED));
        return TargetTable.read(connection, NAME).orElseThrow();
    }

    private long partitions() {
        return database.count(
                "SELECT count(*) FROM pg_inherits JOIN pg_class c ON c.oid = inhparent WHERE c.relkind = 'p'"
                        + " AND relnamespace = '" + database.schema() + "'::regnamespace");
    }

    @Test
    void partitionsAreMadeOnce() throws SQLException {
        TargetTable table = partitioned();
        PartitionMaker maker = new PartitionMaker(table, Duration.ofDays(1));
        assertThat(maker.known().cover(START)).isFalse();
        maker.ensure(connection, START, START + 2 * DAY - 1);
        assertThat(partitions()).isEqualTo(2);
        assertThat(maker.known().cover(START)).isTrue();
        assertThat(maker.known().cover(START + 2 * DAY)).isFalse();
        maker.ensure(connection, START + DAY, START + 2 * DAY);
        // Another writer, which does not know of them.
        new PartitionMaker(table, Duration.ofDays(1)).ensure(connection, START + DAY, START - 1);
        assertThat(partitions()).isEqualTo(4);
        assertThat(connection.getAutoCommit()).isTrue();
        database.execute("INSERT INTO " + NAME.sql()
                + " VALUES ('h', '2016-01-02 23:59:59.999999+00'), ('h', '2016-01-05 12:00+00')");
    }

    @Test
    void rowsWithoutATimeNeedNone() throws SQLException {
        new PartitionMaker(partitioned(), Duration.ofDays(1)).ensure(connection);
        assertThat(partitions()).isZero();
    }

    @Test
    void othersPartitionsAreUsedAsTheyAre() throws SQLException {
        TargetTable table = partitioned();
        database.execute("CREATE TABLE january PARTITION OF " + NAME.sql()
                + " FOR VALUES FROM ('2016-01-01+00') TO ('2016-02-01+00')");
        new PartitionMaker(table, Duration.ofDays(1)).ensure(connection, START);
        assertThat(partitions()).isEqualTo(1);
        assertThat(connection.getAutoCommit()).isTrue();
    }

    /** A row far off gets its own, and nothing is made in between. */
    @Test
    void onlyTheIntervalsThatHaveRows() throws SQLException {
        PartitionMaker maker = new PartitionMaker(partitioned(), Duration.ofDays(1));
        maker.ensure(connection, START, START + 1, 0, START + DAY, Long.MIN_VALUE + 2, Long.MAX_VALUE - 1);
        assertThat(partitions()).isEqualTo(4);
        database.execute("INSERT INTO " + NAME.sql() + " VALUES ('h', '1970-01-01'), ('h', '2016-01-04 23:59')");
    }

    @Test
    void aBatchIsNotWorthThousandsOfPartitions() throws SQLException {
        PartitionMaker maker = new PartitionMaker(partitioned(), Duration.ofDays(1));
        long[] times = LongStream.range(0, 2_002).map(n -> START + n / 2 * DAY).toArray();
        assertThatThrownBy(() -> maker.ensure(connection, times))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("2016-01-03T00:00:00Z to 2018-09-29T00:00:00Z")
                .hasMessageContaining("1001 new partitions")
                .hasMessageContaining("sink.chunk-interval");
        assertThat(partitions()).isZero();
    }

    /** Where others have taken a part of an interval, what is left around the row is made. */
    @ParameterizedTest
    @EnumSource(
            value = ColumnType.class,
            names = {"DATE", "TIMESTAMP", "TIMESTAMPTZ"})
    void clippedToWhatOthersLeaveFree(ColumnType type) throws SQLException {
        ConnectionOptions options = Fleet.options(database);
        Fleet.execute(options, "CREATE TABLE t (time " + type + ") PARTITION BY RANGE (time)");
        Fleet.execute(options, "CREATE TABLE early PARTITION OF t FOR VALUES FROM (MINVALUE) TO ('2016-01-03')");
        Fleet.execute(options, "CREATE TABLE middle PARTITION OF t FOR VALUES FROM ('2016-01-05') TO ('2016-01-06')");
        Fleet.execute(options, "CREATE TABLE late PARTITION OF t FOR VALUES FROM ('2016-01-07') TO (MAXVALUE)");
        Fleet.execute(options, "CREATE TABLE rest PARTITION OF t DEFAULT");
        TargetTable table = TargetTable.read(connection, TableName.parse("t")).orElseThrow();
        PartitionMaker maker = new PartitionMaker(table, Duration.ofDays(30));
        try (Connection utc = options.connect("test")) {
            maker.ensure(utc, 0, START, START + DAY, START + 3 * DAY, START + 4 * DAY);
        }
        assertThat(database.count("SELECT count(*) FROM pg_inherits WHERE inhparent = 't'::regclass"))
                .isEqualTo(6);
        Fleet.execute(
                options,
                "INSERT INTO t SELECT '2015-12-30'::timestamp + n * interval '1 day' FROM generate_series(0, 9) n");
        assertThat(database.one("SELECT string_agg(n || '', ' ') FROM (SELECT count(*) AS n FROM t GROUP BY tableoid"
                        + " ORDER BY min(time)) g"))
                .isEqualTo("4 2 1 1 2");
    }

    @Test
    void aTableInTheWay() throws SQLException {
        database.execute("CREATE TABLE t (time timestamptz) PARTITION BY RANGE (time)");
        database.execute("CREATE TABLE \"t_p20160103T000000\" (time timestamptz)");
        TargetTable table = TargetTable.read(connection, TableName.parse("t")).orElseThrow();
        assertThatThrownBy(() -> new PartitionMaker(table, Duration.ofDays(1)).ensure(connection, START))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("t_p20160103T000000 is in the way")
                .hasMessageContaining("attach it");
        assertThat(connection.getAutoCommit()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = ColumnType.class,
            names = {"DATE", "TIMESTAMP", "TIMESTAMPTZ"})
    void everyTypeOfTimeHasPartitions(ColumnType type) throws SQLException {
        database.execute(
                "CREATE TABLE t (id int GENERATED ALWAYS AS IDENTITY, time " + type + " CHECK (isfinite(time)),"
                        + " n int DEFAULT 7, twice int GENERATED ALWAYS AS (2 * n) STORED) PARTITION BY RANGE (time)");
        database.execute("CREATE INDEX ON t (n)");
        TargetTable table = TargetTable.read(connection, TableName.parse("t")).orElseThrow();
        new PartitionMaker(table, Duration.ofDays(1)).ensure(connection, START, START + DAY);
        assertThat(partitions()).isEqualTo(2);
        database.execute("INSERT INTO t (time) VALUES ('2016-01-03'), ('2016-01-04')");
        assertThat(database.one("SELECT string_agg(id || ' ' || twice, ', ' ORDER BY id) FROM t"))
                .isEqualTo("1 14, 2 14");
        assertThat(database.count("SELECT count(*) FROM pg_indexes WHERE tablename LIKE 't\\_p2016010_T000000'"))
                .isEqualTo(2);
    }

    @Test
    void halfADayIsNoPartitionOfDates() throws SQLException {
        database.execute("CREATE TABLE t (day date) PARTITION BY RANGE (day)");
        TargetTable table = TargetTable.read(connection, TableName.parse("t")).orElseThrow();
        assertThatThrownBy(() -> new PartitionMaker(table, Duration.ofHours(12)))
                .isInstanceOf(TargetException.class)
                .hasMessageContaining("set sink.chunk-interval to whole days");
    }

    /** Beyond the years of four digits, and before the first. */
    @Test
    void partitionsOfRemoteTimes() throws SQLException {
        PartitionMaker maker = new PartitionMaker(partitioned(), Duration.ofDays(1));
        long year12345 = 327_403_382_400_000_000L;
        long before = -62_198_755_200_000_000L;
        maker.ensure(connection, year12345);
        maker.ensure(connection, before);
        assertThat(partitions()).isEqualTo(2);
        database.execute(
                "INSERT INTO " + NAME.sql() + " VALUES ('h', '12345-01-01 12:00+00'), ('h', '0002-01-01 12:00+00 BC')");
    }
}
