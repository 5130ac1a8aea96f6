package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chunkroll.job.examples.EvenCustomers;
import io.chunkroll.job.map.Relabelling;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows that are left out on the way or changed: what is in the table then, and what the run says of it. */
@Timeout(240)
final class FilterRunITCase extends LoadScenario {
    private static final int CUSTOMERS = 5_000;
    private static final int ROWS = 30_000;

    @Override
    List<String> always() {
        return List.of("job.parallelism 2", "sink.chunk-interval 10 min");
    }

    /** Prepared transactions are the database's, not the schema's. */
    private String[] guarantee(String guarantee) {
        return guarantee.equals("exactly-once")
                ? new String[] {"sink.guarantee exactly-once", "sink.transaction-prefix load-" + database.schema()}
                : new String[] {"sink.guarantee " + guarantee};
    }

    private Path customers() throws IOException {
        List<String> lines = IntStream.rangeClosed(1, CUSTOMERS)
                .mapToObj(id -> id + ",customer " + id + "," + id + ".50,2016-01-01T00:00:00Z")
                .toList();
        database.execute("CREATE TABLE customer (c_id int PRIMARY KEY, c_last varchar(30) NOT NULL,"
                + " c_balance numeric(12, 2), c_since timestamptz)");
        return Files.write(folder.resolve("customer.csv"), lines);
    }

    private static void assertCounts(LoadResult run, long read, long written, long filtered) {
        JsonNode json = run.json();
        assertThat(json.path("rows_read").asLong()).isEqualTo(read);
        assertThat(json.path("rows_written").asLong()).isEqualTo(written);
        assertThat(json.path("rows_filtered").asLong()).isEqualTo(filtered);
        assertThat(json.path("rows_filtered").isNumber()).isTrue();
        assertThat(json.path("rows_in_table").asLong()).isEqualTo(written);
    }

    private static String[] fleet(String... more) {
        return and(new String[] {"source.rows " + ROWS, "source.devices 100", "sink.batch.rows 2000"}, more);
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
        LoadResult all = runInto("all", fleet("sink.table every"));
        all.succeeded();
        String where = "usage_user > 50 AND hostname <> 'host_7'";

        LoadResult run = run(
                fleet(and(guarantee(guarantee), "sink.layout " + layout, "sink.load " + load, "sink.where " + where)));

        run.succeeded();
        String facts = "SELECT count(*) || ' ' || sum(hashtextextended(t::text, 0)) FROM %s t";
        assertThat(database.one(facts.formatted("cpu")))
                .isEqualTo(database.one(facts.formatted("every") + " WHERE " + where));
        long written = database.count("SELECT count(*) FROM cpu");
        assertThat(written).isBetween(1L, ROWS - 1L);
        assertCounts(run, ROWS, written, ROWS - written);
        assertThat(run.cli().out()).contains(String.format("%,d filtered", ROWS - written));
    }

    @ParameterizedTest
    @CsvSource({"skip", "replace"})
    void rowsWithAKeyAreFilteredFirst(String mode) throws Exception {
        Path file = customers();
        database.execute("INSERT INTO customer SELECT id, 'old', 0 FROM generate_series(1, 1000) id");

        LoadResult run = run(
                "source.kind csv",
                "source.path " + file,
                "sink.table customer",
                "sink.on-conflict " + mode,
                "sink.where c_id % 5 = 0");

        run.succeeded();
        assertThat(database.one(
                        "SELECT count(*) || ' ' || sum(c_id) FROM customer WHERE c_last <> 'old' AND c_id % 5 = 0"))
                .isEqualTo(mode.equals("skip") ? "800 2402000" : "1000 2502500");
        assertThat(database.count("SELECT count(*) FROM customer")).isEqualTo(1_800);
        JsonNode json = run.json();
        assertThat(json.path("rows_filtered").asLong()).isEqualTo(4_000);
        assertThat(json.path("rows_inserted").asLong()).isEqualTo(800);
        assertThat(json.path("rows_" + (mode.equals("skip") ? "skipped" : "replaced"))
                        .asLong())
                .isEqualTo(200);
    }

    @Test
    void aFaultyExpressionIsToldBeforeTheJobStarts() throws Exception {
        Path file = customers();
        LoadResult run = run("source.kind csv", "source.path " + file, "sink.table customer", "sink.where c_age > 7");
        run.ended(1);
        assertThat(run.cli().err()).contains("sink.where \"c_age > 7\"", "column \"c_age\" does not exist", "c_last");
        assertThat(folder.resolve("run/run.json")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"copy,at-least-once", "copy,exactly-once", "jdbc,at-least-once"})
    void theExampleLeavesOutOddCustomers(String sink, String guarantee) throws Exception {
        Path file = customers();

        LoadResult run = run(and(
                guarantee(guarantee),
                "source.kind csv",
                "source.path " + file,
                "sink.table customer",
                "sink.kind " + sink,
                "job.map " + EvenCustomers.class.getName()));

        run.succeeded();
        assertThat(database.one("SELECT count(*) || ' ' || sum(c_id) || ' ' || sum(c_balance) || ' '"
                        + " || count(*) FILTER (WHERE c_last = 'customer ' || c_id) FROM customer WHERE c_id % 2 = 0"))
                .isEqualTo("2500 6252500 6253750.00 2500");
        assertCounts(run, CUSTOMERS, CUSTOMERS / 2, CUSTOMERS / 2);
    }

    /** Rows go to writers by the key that the function gave them, and both filters count together. */
    @ParameterizedTest
    @CsvSource({"plain", "hypertable"})
    void aRichFunctionChangesRows(String layout) throws Exception {
        LoadResult all = runInto("all", fleet("sink.table every"));
        all.succeeded();

        LoadResult run = run(fleet(
                "sink.layout " + layout,
                "job.map " + Relabelling.class.getName(),
                "job.partition-by hostname",
                "sink.where hostname <> 'renamed_host_1'"));

        run.succeeded();
        String facts = "SELECT count(*) || ' ' || sum(%s::numeric) || ' ' || sum(usage_guest::numeric) || ' '"
                + " || count(DISTINCT (time, hostname)) FROM %s";
        assertThat(database.one(facts.formatted("usage_user", "cpu WHERE hostname LIKE 'renamed_host_%'")))
                .isEqualTo(database.one(facts.formatted(
                        "(2 * usage_user)", "every WHERE hostname NOT LIKE '%0' AND hostname <> 'host_1'")));
        assertCounts(run, ROWS, ROWS / 100 * 89, ROWS / 100 * 11);
    }

    @Test
    void whereTheFunctionFailedIsTold() throws Exception {
        Path file = write(
                "cpu.csv",
                "time,hostname,usage_user\n2016-01-01T00:00:00Z,host_1,1\n2016-01-01T00:00:00Z,host_bad,2\n");
        database.execute("CREATE TABLE readings (time timestamptz, hostname text, usage_user float8)");
        LoadResult run = run(
                "source.kind csv",
                "source.path " + file,
                "sink.table readings",
                "source.on-bad-row reject",
                "job.map " + Relabelling.class.getName());
        run.ended(1);
        assertThat(run.said())
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
        LoadResult run = run(
                "source.kind csv",
                "source.path " + file,
                "sink.table customer",
                "job.map com.example.Rename",
                "job.map-jar " + jar);
        run.succeeded();
        assertThat(
                        database.count(
                                "SELECT count(*) FROM customer"
                                        + " WHERE c_last = 'customer ' || c_id || ' & co' AND c_since IS NULL AND c_balance = c_id + 0.5"))
                .isEqualTo(CUSTOMERS);
        assertCounts(run, CUSTOMERS, CUSTOMERS, 0);
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
        LoadResult run = run("job.map com.example.Missing", "sink.kind jdbc", "sink.where true");
        run.ended(2);
        assertThat(run.cli().err()).contains("job.map \"com.example.Missing\"", "sink.where: is for sink.kind copy");
    }
}
