package io.chunkroll.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.Index;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.server.PostgresServer;
import io.chunkroll.server.TestDatabase;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TableDefinition;
import io.chunkroll.sinks.table.TableMaker;
import io.chunkroll.sinks.table.TableName;
import io.chunkroll.sinks.table.TargetTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** A small fleet: a hundred hosts, each with a row every ten seconds; row {@code n} is the same in every test. */
public final class Fleet {
    public static final int HOSTS = 100;
    public static final Duration CHUNK = Duration.ofMinutes(10);

    private static final long START = 1_451_779_200_000_000L;
    private static final long TEN_SECONDS = 10_000_000;

    /** Time, host, number, value; keyed by host. */
    public static final TableDescription COLUMNS = new TableDescription(
            List.of(
                    new Column("time", ColumnType.TIMESTAMPTZ, "timestamp with time zone", true),
                    new Column("host", ColumnType.TEXT, "text", false),
                    new Column("n", ColumnType.INT8, "bigint", false),
                    new Column("value", ColumnType.FLOAT8, "double precision", false)),
            0,
            1);

    private Fleet() {}

    public static Tuple row(TupleWriter writer, long n) {
        writer.begin();
        writer.putTimestamp(START + n / HOSTS * TEN_SECONDS);
        writer.putText("host_" + n % HOSTS);
        writer.putInt8(n);
        writer.putFloat8(n / 10.0);
        return writer.end();
    }

    public static ConnectionOptions options(TestDatabase database) {
        return new ConnectionOptions(database.url(), database.user(), database.password());
    }

    public static ConnectionOptions options(PostgresServer server) {
        return new ConnectionOptions(server.jdbcUrl(), server.user(), server.password());
    }

    public static TargetTable create(ConnectionOptions options, Layout layout) throws SQLException {
        try (Connection connection = options.connect("test")) {
            TableName name = TableName.parse("fleet");
            List<Index> indexes = List.of(Index.parse("host, time desc"));
            TableMaker.create(connection, name, new TableDefinition(COLUMNS, layout, CHUNK, indexes));
            return read(options, "fleet");
        }
    }

    /** The table as the catalogue has it. */
    public static TargetTable read(ConnectionOptions options, String name) throws SQLException {
        try (Connection connection = options.connect("test")) {
            return TargetTable.read(connection, TableName.parse(name)).orElseThrow();
        }
    }

    /** Asserts that the table holds the rows from 0 up to the count, each once and unchanged. */
    public static void assertHolds(ConnectionOptions options, long count) throws SQLException {
        String rows = one(options, "SELECT count(*) || ' rows, sum ' || coalesce(sum(n), 0) FROM fleet");
        assertThat(rows).isEqualTo(count + " rows, sum " + count * (count - 1) / 2);
        assertThat(one(options, "SELECT count(DISTINCT n) FROM fleet")).isEqualTo(String.valueOf(count));
        assertThat(one(
                        options,
                        "SELECT count(*) FROM fleet WHERE value IS DISTINCT FROM n / 10.0::float8"
                                + " OR host IS DISTINCT FROM 'host_' || n % " + HOSTS
                                + " OR time IS DISTINCT FROM '2016-01-03 00:00+00'::timestamptz + n / " + HOSTS
                                + " * interval '10 s'"))
                .isEqualTo("0");
    }

    public static String one(ConnectionOptions options, String sql) throws SQLException {
        try (Connection connection = options.connect("test");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getString(1) : null;
        }
    }

    public static void execute(ConnectionOptions options, String sql) throws SQLException {
        try (Connection connection = options.connect("test");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
