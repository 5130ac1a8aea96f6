package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.Index;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.server.TestDatabase;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TableDefinition;
import io.chunkroll.sinks.table.TableMaker;
import io.chunkroll.sinks.table.TableName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names that would do harm if they were pasted into a statement: tables are loaded that have them, and nothing else happens. */
@Timeout(120)
final class StrangeNamesITCase {
    private static final String TIME = "time\"); drop table x;--";
    private static final String KEY = "Key, 'ключ'.\"$1\"";
    private static final String NUMBER = ") VALUES (?)";
    private static final TableDescription COLUMNS = new TableDescription(
            List.of(
                    new Column(TIME, ColumnType.TIMESTAMPTZ, "timestamp with time zone", true),
                    new Column(KEY, ColumnType.TEXT, "text", false),
                    new Column(NUMBER, ColumnType.INT4, "integer", false)),
            0,
            1);

    @TempDir
    Path folder;

    private TestDatabase database;
    private String schema;

    @BeforeEach
    void open() {
        database = TestDatabase.create();
        schema = "S \"'ü;" + database.schema();
        database.execute("CREATE SCHEMA " + quoted(schema));
        database.execute("CREATE TABLE x AS SELECT 42 AS answer");
    }

    @AfterEach
    void close() {
        database.execute("DROP SCHEMA " + quoted(schema) + " CASCADE");
        database.close();
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private void load(String... settings) {
        List<String> words = new ArrayList<>(
                List.of("run", "--sink.url", database.url(), "--sink.user", database.user(), "--run.dir"));
        words.add(folder.resolve("run").toString());
        words.addAll(List.of(settings));
        Cli run = Cli.run(words.toArray(String[]::new));
        assertThat(run.exit()).as(run.all()).isZero();
    }

    private void assertNothingElseHappened(String table) {
        assertThat(database.one("SELECT answer FROM x")).isEqualTo("42");
        assertThat(database.one(
                        "SELECT string_agg(relname, '|') FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition"
                                + " AND relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('"
                                + database.schema() + "', '" + schema.replace("'", "''") + "'))"
                                + " AND relname <> 'x'"))
                .isEqualTo(table);
    }

    @ParameterizedTest
    @CsvSource({"copy, PLAIN", "copy, HYPERTABLE", "copy, PARTITIONED", "jdbc, PARTITIONED"})
    void ofTablesThatAreMade(String sink, Layout layout) {
        String start = "UPPER a.b \"q\" 'ü' $$ \\ %s ? \n) VALUES (1);";
        String table = start + "x".repeat(63 - start.getBytes(StandardCharsets.UTF_8).length);

        load(
                "--sink.kind",
                sink,
                "--sink.table",
                schema + '.' + table,
                "--sink.layout",
                layout.name().toLowerCase(Locale.ROOT),
                "--sink.chunk-interval",
                "10 min",
                "--source.rows",
                "1000",
                "--source.devices",
                "10");

        assertThat(database.count(
                        "SELECT count(DISTINCT (hostname, time)) FROM " + quoted(schema) + '.' + quoted(table)))
                .isEqualTo(1_000);
        assertNothingElseHappened(table);
    }

    @ParameterizedTest
    @CsvSource({"jdbc, PLAIN", "jdbc, HYPERTABLE", "jdbc, PARTITIONED", "copy, PARTITIONED"})
    void ofColumnsAndIndexes(String sink, Layout layout) throws Exception {
        String table = "Robert\"); drop table x;--";
        List<Index> indexes = List.of(new Index(List.of(new Index.Key(KEY, false), new Index.Key(TIME, true)), false));
        try (Connection connection = database.connect()) {
            TableMaker.create(
                    connection,
                    new TableName("", table),
                    new TableDefinition(COLUMNS, layout, Duration.ofMinutes(10), indexes));
        }
        Path file = Files.writeString(
                folder.resolve("in.csv"),
                quoted(NUMBER) + ',' + quoted(TIME) + ',' + quoted(KEY)
                        + "\n1,2016-01-01T00:00:00Z,a\n2,2016-01-01T00:10:00Z,b\n3,2016-01-01T00:20:00Z,a\n");

        load(
                "--sink.kind",
                sink,
                "--sink.table",
                table,
                "--sink.chunk-interval",
                "10 min",
                "--source.kind",
                "csv",
                "--source.path",
                file.toString(),
                "--job.partition-by",
                KEY);

        assertThat(database.one(
                        "SELECT string_agg(concat(" + quoted(NUMBER) + ',' + quoted(KEY) + ", extract(minute FROM "
                                + quoted(TIME) + ")), ' ' ORDER BY " + quoted(NUMBER) + ") FROM " + quoted(table)))
                .isEqualTo("1a0 2b10 3a20");
        assertNothingElseHappened(table);
        assertThat(folder.resolve("run/report.html")).exists();
    }
}
