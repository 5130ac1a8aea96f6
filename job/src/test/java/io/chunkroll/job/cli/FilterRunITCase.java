package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.job.examples.EvenCustomers;
import io.chunkroll.job.map.Relabelling;
import io.chunkroll.server.TestDatabase;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that are left out on the way or changed: what is in the table then, and what the run says of it. */
@Timeout(240)
final class FilterRunITCase {
    private static final int CUSTOMERS = 5_000;
    private static final int ROWS = 30_000;

    @TempDir
    Path folder;

    private TestDatabase database;

    @BeforeEach
    void open() {
        database = TestDatabase.create();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private Cli run(String... settings) {
        return runInto("run", settings);
    }

    private Cli runInto(String name, String... settings) {
        List<String> words = new ArrayList<>(List.of(
                "run",
                "--sink.url",
                database.url(),
                "--sink.user",
                database.user(),
                "--sink.transaction-prefix",
                "load-" + database.schema(),
                "--job.parallelism",
                "2",
                "--sink.chunk-interval",
                "10 min",
                "--run.dir",
                folder.resolve(name).toString()));
        words.addAll(List.of(settings));
        if (!words.contains("exactly-once")) {
            int prefix = words.indexOf("--sink.transaction-prefix");
            words.subList(prefix, prefix + 2).clear();
        }
        return Cli.run(words.toArray(String[]::new));
    }

    private Path customers() throws IOException {
        List<String> lines = IntStream.rangeClosed(1, CUSTOMERS)
                .mapToObj(id -> id + ",customer " + id + "," + id + ".50,2016-01-01T00:00:00Z")
                .toList();
        database.execute("CREATE TABLE customer (c_id int PRIMARY KEY, c_last varchar(30) NOT NULL,"
                + " c_balance numeric(12, 2), c_since timestamptz)");
        return Files.write(folder.resolve("customer.csv"), lines);
    }

    private void assertCounts(long read, long written, long filtered) throws IOException {
        JsonNode json =
                new ObjectMapper().readTree(folder.resolve("run/run.json").toFile());
        assertThat(json.path("rows_read").asLong()).isEqualTo(read);
        assertThat(json.path("rows_written").asLong()).isEqualTo(written);
        assertThat(json.path("rows_filtered").asLong()).isEqualTo(filtered);
        assertThat(json.path("rows_filtered").isNumber()).isTrue();
        assertThat(json.path("rows_in_table").asLong()).isEqualTo(written);
    }

    private String[] fleet(String... more) {
        List<String> words = new ArrayList<>(
                List.of("--source.rows", "" + ROWS, "--source.devices", "100", "--sink.batch.rows", "2000"));
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    @ParameterizedTest(name = "{0}, {1}, {2}")
    @CsvSource({
        "plain,at-least-once,live",
        "hypertable,at-least-once,live",
        "partitioned,at-least-once,live",
        "plain,exactly-once,live",
        "hypertable,exactly-once,live",
        "hypertable,at-least-once,bulk",
        "partitioned,at-least-once,bulk",
    })
    void theServerLeavesOut(String layout, String guarantee, String load) throws Exception {
        Cli all = runInto("all", fleet("--sink.table", "every"));
        assertThat(all.exit()).as(all.all()).isZero();
        String where = "usage_user > 50 AND hostname <> 'host_7'";

        Cli run = run(fleet(
                "--sink.layout", layout, "--sink.guarantee", guarantee, "--sink.load", load, "--sink.where", where));

        assertThat(run.exit()).as(run.all()).isZero();
        String facts = "SELECT count(*) || ' ' || sum(hashtextextended(t::text, 0)) FROM %s t";
        assertThat(database.one(facts.formatted("cpu")))
                .isEqualTo(database.one(facts.formatted("every") + " WHERE " + where));
        long written = database.count("SELECT count(*) FROM cpu");
        assertThat(written).isBetween(1L, ROWS - 1L);
        assertCounts(ROWS, written, ROWS - written);
        assertThat(run.out()).contains(String.format("%,d filtered", ROWS - written));
    }

    @ParameterizedTest
    @CsvSource({"skip", "replace"})
    void rowsWithAKeyAreFilteredFirst(String mode) throws Exception {
        Path file = customers();
        database.execute("INSERT INTO customer SELECT id, 'old', 0 FROM generate_series(1, 1000) id");

        Cli run = run(
                "--source.kind",
                "csv",
                "--source.path",
                file.toString(),
                "--sink.table",
                "customer",
                "--sink.on-conflict",
                mode,
                "--sink.where",
                "c_id % 5 = 0");

        assertThat(run.exit()).as(run.all()).isZero();
        assertThat(database.one(
                        "SELECT count(*) || ' ' || sum(c_id) FROM customer WHERE c_last <> 'old' AND c_id % 5 = 0"))
                .isEqualTo(mode.equals("skip") ? "800 2402000" : "1000 2502500");
        assertThat(database.count("SELECT count(*) FROM customer")).isEqualTo(1_800);
        JsonNode json =
                new ObjectMapper().readTree(folder.resolve("run/run.json").toFile());
        assertThat(json.path("rows_filtered").asLong()).isEqualTo(4_000);
        assertThat(json.path("rows_inserted").asLong()).isEqualTo(800);
        assertThat(json.path("rows_" + (mode.equals("skip") ? "skipped" : "replaced"))
                        .asLong())
                .isEqualTo(200);
    }

    @Test
    void aFaultyExpressionIsToldBeforeTheJobStarts() throws Exception {
        Path file = customers();
        Cli run = run(
                "--source.kind",
                "csv",
                "--source.path",
                file.toString(),
                "--sink.table",
                "customer",
                "--sink.where",
                "c_age > 7");
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err()).contains("sink.where \"c_age > 7\"", "column \"c_age\" does not exist", "c_last");
        assertThat(folder.resolve("run/run.json")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"copy,at-least-once", "copy,exactly-once", "jdbc,at-least-once"})
    void theExampleLeavesOutOddCustomers(String sink, String guarantee) throws Exception {
        Path file = customers();

        Cli run = run(
                "--source.kind",
                "csv",
                "--source.path",
                file.toString(),
                "--sink.table",
                "customer",
                "--sink.kind",
                sink,
                "--sink.guarantee",
                guarantee,
                "--job.map",
                EvenCustomers.class.getName());

        assertThat(run.exit()).as(run.all()).isZero();
        assertThat(database.one("SELECT count(*) || ' ' || sum(c_id) || ' ' || sum(c_balance) || ' '"
                        + " || count(*) FILTER (WHERE c_last = 'customer ' || c_id) FROM customer WHERE c_id % 2 = 0"))
                .isEqualTo("2500 6252500 6253750.00 2500");
        assertCounts(CUSTOMERS, CUSTOMERS / 2, CUSTOMERS / 2);
    }

    /** Rows go to writers by the key that the function gave them, and both filters count together. */
    @ParameterizedTest
    @CsvSource({"plain", "hypertable"})
    void aRichFunctionChangesRows(String layout) throws Exception {
        Cli all = runInto("all", fleet("--sink.table", "every"));
        assertThat(all.exit()).as(all.all()).isZero();

        Cli run = run(fleet(
                "--sink.layout",
                layout,
                "--job.map",
                Relabelling.class.getName(),
                "--job.partition-by",
                "hostname",
                "--sink.where",
                "hostname <> 'renamed_host_1'"));

        assertThat(run.exit()).as(run.all()).isZero();
        String facts = "SELECT count(*) || ' ' || sum(%s::numeric) || ' ' || sum(usage_guest::numeric) || ' '"
                + " || count(DISTINCT (time, hostname)) FROM %s";
        assertThat(database.one(facts.formatted("usage_user", "cpu WHERE hostname LIKE 'renamed_host_%'")))
                .isEqualTo(database.one(facts.formatted(
                        "(2 * usage_user)", "every WHERE hostname NOT LIKE '%0' AND hostname <> 'host_1'")));
        assertCounts(ROWS, ROWS / 100 * 89, ROWS / 100 * 11);
    }

    @Test
    void whereTheFunctionFailedIsTold() throws Exception {
        Path file = Files.writeString(
                folder.resolve("cpu.csv"),
                "time,hostname,usage_user\n2016-01-01T00:00:00Z,host_1,1\n2016-01-01T00:00:00Z,host_bad,2\n");
        database.execute("CREATE TABLE readings (time timestamptz, hostname text, usage_user float8)");
        Cli run = run(
                "--source.kind",
                "csv",
                "--source.path",
                file.toString(),
                "--sink.table",
                "readings",
                "--source.on-bad-row",
                "reject",
                "--job.map",
                Relabelling.class.getName());
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.all())
                .contains(
                        Relabelling.class.getName()
                                + " (job.map) failed at the row '2016-01-01 00:00:00+00,host_bad,2.0'",
                        "at byte 55 of ",
                        "cpu.csv",
                        "java.lang.IllegalStateException: no such host");
    }

    @Test
    void aFunctionInAJarOfItsOwn() throws Exception {
        Path file = customers();
        Path jar = jar("""
                package com.example;

                public class Rename implements org.apache.flink.api.common.functions.MapFunction<
                        org.apache.flink.types.Row, org.apache.flink.types.Row> {
                    public org.apache.flink.types.Row map(org.apache.flink.types.Row row) {
                        row.setField("c_last", new Suffix().of((String) row.getField(1)));
                        row.setField("c_since", null);
                        return row;
                    }
                }

                class Suffix {
                    String of(String name) {
                        return name + " & co";
                    }
                }
                """);
        Cli run = run(
                "--source.kind",
                "csv",
                "--source.path",
                file.toString(),
                "--sink.table",
                "customer",
                "--job.map",
                "com.example.Rename",
                "--job.map-jar",
                jar.toString());
        assertThat(run.exit()).as(run.all()).isZero();
        assertThat(
                        database.count(
                                "SELECT count(*) FROM customer"
                                        + " WHERE c_last = 'customer ' || c_id || ' & co' AND c_since IS NULL AND c_balance = c_id + 0.5"))
                .isEqualTo(CUSTOMERS);
        assertCounts(CUSTOMERS, CUSTOMERS, 0);
    }

    /** In a folder whose name has a space. */
    private Path jar(String source) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("my classes/com/example"));
        Path file = Files.writeString(classes.resolve("Rename.java"), source);
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", System.getProperty("java.class.path"), file.toString());
        assertThat(compiled).isZero();
        Path jar = folder.resolve("my classes/rename.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            for (String name : List.of("Rename", "Suffix")) {
                entries.putNextEntry(new JarEntry("com/example/" + name + ".class"));
                entries.write(Files.readAllBytes(classes.resolve(name + ".class")));
                entries.closeEntry();
            }
        }
        return jar;
    }

    @Test
    void faultsOfSettingsEndWithTwo() {
        Cli run = run("--job.map", "com.example.Missing", "--sink.kind", "jdbc", "--sink.where", "true");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("job.map \"com.example.Missing\"", "sink.where: is for sink.kind copy");
    }
}
