package io.chunkroll.job.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that cannot be read and rows that the server refuses are set aside, each told of once; all others are loaded. */
final class RejectsITCase extends LoadScenario {
    private static final int ROWS = 60_000;

    @BeforeEach
    void makeTable() {
        database.execute("""
                CREATE TABLE readings (
                    id int CONSTRAINT once UNIQUE,
                    name varchar(5) NOT NULL,
                    value real CONSTRAINT positive CHECK (value > 0),
                    at timestamptz)""");
    }

    @Override
    List<String> always() {
        return List.of("source.on-bad-row reject");
    }

    private LoadResult load(Path file, String... settings) {
        return run(and(new String[] {"source.kind csv", "source.path " + file, "sink.table readings"}, settings));
    }

    private static String tell(JsonNode reject) {
        return reject.path("offset") + " " + reject.path("line") + " ["
                + reject.path("column").asText("") + "] "
                + reject.path("reason").asText() + " <" + reject.path("row").asText() + ">";
    }

    private static final String MIXED = """
            id,name,value,at
            1,a,1.5,2016-01-01 00:00:00+00
            2,toolong,1.5,2016-01-01 00:00:00+00
            3,c,-1,2016-01-01 00:00:00+00
            4,,1.5,2016-01-01 00:00:00+00
            1,e,1.5,2016-01-01 00:00:00+00
            99999999999,f,1.5,2016-01-01 00:00:00+00
            7,"g
            ""g",1e99,2016-01-01 00:00:00+00
            8,h\0,1.5,2016-01-01 00:00:00+00
            9,i,1.5,294277-01-01 00:00:00+00
            10,"j
            j",1.5,2016-01-01 00:00:00+00
            11,"k
            k",0,2016-01-01 00:00:00+00
            """;

    private void assertMixedIsSiftedOut(LoadResult run) throws IOException {
        run.ended(3);
        assertThat(run.said()).contains("11 rows read, 2 written, 9 rejected");
        assertThat(database.one("SELECT string_agg(id::text, ' ' ORDER BY id) FROM readings"))
                .isEqualTo("1 10");
        List<String> told = run.rejects().stream().map(RejectsITCase::tell).toList();
        assertThat(told).hasSize(9);
        assertThat(told.get(0))
                .isEqualTo("48 3 [name] value too long for type character varying(5)"
                        + " <2,toolong,1.5,2016-01-01 00:00:00+00>");
        assertThat(told.get(1))
                .contains(" 4 [", "violates check constraint \"positive\"", "<3,c,-1,2016-01-01 00:00:00+00>");
        assertThat(told.get(2)).contains(" 5 [name] null value in column \"name\"", "<4,,1.5,2016-");
        assertThat(told.get(3)).contains(" 6 [", "unique constraint \"once\" (Key (id)=(1) already exists.)", "<1,e,");
        assertThat(told.get(4)).contains(" 7 [id] ", "out of range", "<99999999999,f,");
        assertThat(told.get(5)).contains(" 8 [value] ", "out of range", "<7,\"g\n\"\"g\",1e99,");
        assertThat(told.get(6)).contains(" 10 [name] a NUL byte", "<8,h\0,1.5");
        assertThat(told.get(7)).contains(" 11 [at] ", "<9,i,1.5,294277-");
        assertThat(told.get(8)).contains(" 14 [", "violates check constraint \"positive\"", "<11,\"k\nk\",0,");
        JsonNode json = run.json();
        assertThat(json.path("rows_rejected").asLong()).isEqualTo(9);
        assertThat(json.path("rows_read").asLong()).isEqualTo(11);
        assertThat(json.path("rows_written").asLong()).isEqualTo(2);
        assertThat(run.rejects().get(0).path("file").asText()).contains("mixed.csv");
    }

    @Test
    void everyKindOfBadRow() throws IOException {
        assertMixedIsSiftedOut(load(write("mixed.csv", MIXED), "job.parallelism 1"));
    }

    @Test
    void aPackedFile() throws IOException {
        Path file = folder.resolve("mixed.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(MIXED.getBytes(UTF_8));
        }
        assertMixedIsSiftedOut(load(file, "job.parallelism 2", "job.partition-by name"));
    }

    @Test
    void whatTravelsAsText() throws IOException {
        database.execute("CREATE TYPE mood AS ENUM ('sad', 'ok')");
        database.execute("CREATE TABLE moods (id int, m mood, u uuid, j json)");
        Path file = write(
                "moods.csv",
                "1,ok,a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11,{}\n2,glad,,{}\n3,sad,no,{}\n4,sad,,{\n99999999999,sad,,{}\n");
        LoadResult run = run("source.kind csv", "source.path " + file, "sink.table moods");
        run.ended(3);
        assertThat(database.one("SELECT string_agg(id::text, ' ') FROM moods")).isEqualTo("1");
        assertThat(run.rejects().stream().map(reject -> reject.path("column").asText()))
                .containsExactly("m", "u", "j", "id");
    }

    /** A file that is read in several pieces, by two readers, in many batches. */
    @ParameterizedTest
    @ValueSource(strings = {"plain", "hypertable", "partitioned"})
    void manyBadRowsOfAFileReadInPieces(String layout) throws IOException {
        Path file = folder.resolve("many.csv");
        String padding = "_".repeat(120);
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("time,hostname,usage_user\n");
            for (int i = 0; i < ROWS; i++) {
                String time = String.format("2016-01-01 %02d:%02d:%02d+00", i / 36_000 % 24, i / 600 % 60, i / 10 % 60);
                String value = i % 1_000 == 7 ? "many" : i % 100 == 3 ? "-5" : "5";
                out.write(time + ",host_" + i % 50 + padding + "," + value + "\n");
            }
        }
        assertThat(Files.size(file)).isGreaterThan(8L << 20);
        runInto("made", "sink.layout " + layout, "source.rows 1").succeeded();
        database.execute("DELETE FROM cpu; ALTER TABLE cpu ADD CONSTRAINT positive CHECK (usage_user >= 0)");

        LoadResult run = run("source.kind csv", "source.path " + file, "source.dataset cpu", "job.parallelism 2");

        int bad = ROWS / 1_000 + ROWS / 100;
        run.ended(3);
        assertThat(database.count("SELECT count(*) FROM cpu")).isEqualTo(ROWS - bad);
        assertThat(run.json().path("rows_rejected").asLong()).isEqualTo(bad);
        List<JsonNode> rejects = run.rejects();
        assertThat(rejects.stream()
                        .map(reject -> reject.path("offset").asLong())
                        .distinct())
                .hasSize(bad);
        try (RandomAccessFile whole = new RandomAccessFile(file.toFile(), "r")) {
            for (JsonNode reject : rejects) {
                whole.seek(reject.path("offset").asLong());
                assertThat(whole.readLine()).isEqualTo(reject.path("row").asText());
            }
        }
    }

    @Test
    void allRowsBad() throws IOException {
        Path file = write("bad.csv", "1,a,-1,\n".repeat(3_000) + "x,a,1,\n".repeat(3_000));
        LoadResult run = load(file, "sink.batch.rows 1000");
        run.ended(3);
        assertThat(run.rejects()).hasSize(6_000);
        assertThat(database.count("SELECT count(*) FROM readings")).isZero();
    }

    @Test
    void generatedRowsAreToldOfByTheirFields() throws IOException {
        run("source.rows 1", "source.start 2015-01-01T00:00:00Z").succeeded();
        database.execute("ALTER TABLE cpu ADD CONSTRAINT not_me CHECK (hostname <> 'host_3')");
        LoadResult run = runInto("other", "source.rows 1000", "source.devices 10");
        run.ended(3);
        List<JsonNode> rejects = run.rejects();
        assertThat(rejects).hasSize(100).allSatisfy(reject -> {
            assertThat(reject.path("file").isNull()).isTrue();
            assertThat(reject.path("offset").isNull()).isTrue();
            assertThat(reject.path("line").isNull()).isTrue();
            assertThat(reject.path("reason").asText()).contains("not_me");
            assertThat(reject.path("row").asText()).matches("2016-01-01 00:\\d\\d:\\d0\\+00,host_3,[0-9.,]+");
        });
    }

    @ParameterizedTest
    @CsvSource({"copy,12,3", "copy,11,1", "jdbc,4,3", "jdbc,3,1", "discard,4,3", "discard,3,1"})
    void theLimitIsOfAllWritersAndKindsTogether(String sink, int most, int exit) throws IOException {
        StringBuilder text = new StringBuilder("time,hostname,usage_user\n");
        for (int i = 0; i < 1_000; i++) {
            String value = i % 250 == 9 ? "x" : sink.equals("copy") && i % 125 == 3 ? "-1" : "1";
            text.append("2016-01-01 00:00:00+00,host_")
                    .append(i)
                    .append(',')
                    .append(value)
                    .append('\n');
        }
        Path file = write("limit.csv", text.toString());
        runInto("made", "source.rows 1").succeeded();
        database.execute("DELETE FROM cpu; ALTER TABLE cpu ADD CONSTRAINT positive CHECK (usage_user >= 0)");
        LoadResult run = run(
                "source.kind csv",
                "source.path " + file,
                "source.dataset cpu",
                "sink.kind " + sink,
                "job.parallelism 3",
                "source.max-bad-rows " + most);
        run.ended(exit);
        if (exit == 1) {
            assertThat(run.said())
                    .contains("More than " + most + " rows were rejected (source.max-bad-rows); the last one stands in "
                            + file + " at byte ");
        } else {
            assertThat(run.rejects()).hasSize(most);
        }
    }

    /** Neither counts nor touches what the other left there. */
    @Test
    void twoRunsShareAFolder() throws IOException {
        Path file = write("bad.csv", "1,a,-1,\n2,b,1,\n");
        String shared = folder.resolve("all rejects").toString();
        for (int i = 1; i <= 2; i++) {
            database.execute("TRUNCATE readings");
            LoadResult run = runInto(
                    "run " + i,
                    "source.kind csv",
                    "source.path " + file,
                    "sink.table readings",
                    "source.max-bad-rows 1",
                    "run.rejects-dir " + shared);
            run.ended(3);
            assertThat(run.said()).contains("1 written, 1 rejected", "Rejected rows: " + shared);
        }
        try (var files = Files.list(Path.of(shared))) {
            assertThat(files)
                    .hasSize(2)
                    .allMatch(path -> path.getFileName().toString().startsWith("rejects-readings-"));
        }
    }

    @Test
    void aRunFolderWithASpaceInItsName() throws IOException {
        Path file = write("bad.csv", "1,a,-1,\n2,b,1,\n");
        Files.createDirectory(folder.resolve("runs"));
        LoadResult run = runInto("runs/my run", "source.kind csv", "source.path " + file, "sink.table readings");
        run.ended(3);
        assertThat(run.rejects()).hasSize(1);
        try (var runs = Files.list(folder.resolve("runs"))) {
            assertThat(runs).hasSize(1);
        }
    }

    @Test
    void theJdbcSinkFailsForARowThatTheServerRefuses() throws IOException {
        Path file = write("jdbc.csv", "1,a,1,\nx,b,1,\n3,c,-1,\n");
        LoadResult run = load(file, "sink.kind jdbc");
        run.ended(1);
        assertThat(run.said()).contains("violates check constraint \"positive\"");
        assertThat(run.rejects()).hasSize(1);
    }
}
