package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.server.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A study by the command line, with psql beside our own loads. */
@Timeout(240)
final class StudyITCase {
    private static final String STUDY = """
            # Does it work?
            question: Does it work?
            repeats: 2
            input: {source.rows: 20000, source.devices: 100}
            settings: {source.kind: csv, source.dataset: cpu, sink.layout: plain}
            runs:
              - {name: psql, psql: 2, prepare: SELECT 1/0}
              - {name: copy}
              - {name: discard, settings: {source.kind: generated, source.rows: 5000, sink.kind: discard}}
            ratios:
              - {name: copy to psql, figure: rows_per_second, of: copy, to: psql, published: 1.75}
            """;

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

    private CommandProcess start(String text, String... more) throws Exception {
        Path file = folder.resolve("mine.yaml");
        Files.writeString(file, text);
        List<String> words = new ArrayList<>(List.of("study", file.toString()));
        words.addAll(List.of("--sink.url", database.url(), "--sink.user", database.user()));
        words.addAll(List.of("--sink.table", database.schema() + ".speed"));
        words.addAll(List.of(more));
        String psql = database.server().psql(List.of()).command().get(0);
        String path = Path.of(psql).getParent() + ":" + System.getenv("PATH");
        return CommandProcess.start(folder, Map.of("PATH", path), words);
    }

    @Test
    void everyRunIsMadeAndABrokenOffStudyGoesOn() throws Exception {
        Path study = folder.resolve("study");
        String once = STUDY.replace("SELECT 1/0", "SELECT 1");
        try (CommandProcess command = start(once, "--run.dir", study.toString())) {
            assertThat(command.waitFor()).as(command.output()).isZero();
            assertThat(command.output()).contains("copy to psql").contains("Report: ");
        }
        Path results = study.resolve("results.jsonl");
        List<String> lines = Files.readAllLines(results);
        assertThat(lines).hasSize(6).allMatch(line -> line.contains("\"failure\":null"));
        assertThat(lines.stream().filter(line -> line.contains("\"rows\":20000")))
                .hasSize(4);
        assertThat(lines.get(0)).contains("psql");
        assertThat(lines.get(3)).as("the second repeat begins with another run").contains("copy");
        assertThat(database.count("SELECT count(*) FROM " + database.schema() + ".speed"))
                .isEqualTo(20_000);
        assertThat(study.resolve("study.md")).content().contains("| psql | ");
        String page = Files.readString(study.resolve("report.html"));
        assertThat(page).contains("Published figures beside ours", "<td>1.75</td>");
        Files.delete(study.resolve("report.html"));
        Cli later = Cli.run("report", study.toString());
        assertThat(later.exit()).as(later.err()).isZero();
        assertThat(study.resolve("report.html")).content().isEqualTo(page);
        try (Stream<Path> files = Files.list(study)) {
            assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith("input-"));
        }

        Files.write(results, lines.subList(0, 5));
        try (CommandProcess command = start(once, "--resume", study.toString())) {
            assertThat(command.waitFor()).as(command.output()).isZero();
            assertThat(command.output()).contains("5 runs are there");
        }
        assertThat(Files.readAllLines(results)).hasSize(6);

        try (CommandProcess command = start(once, "--resume", study.toString(), "--scale", "0.5")) {
            assertThat(command.waitFor()).as(command.output()).isEqualTo(2);
            assertThat(command.output()).contains("give the command that began it");
        }
    }

    @Test
    void aRunThatFailsIsInTheTableAndTheOthersAreMade() throws Exception {
        Path study = folder.resolve("study");
        try (CommandProcess command = start(STUDY, "--repeat", "1", "--run.dir", study.toString())) {
            assertThat(command.waitFor()).as(command.output()).isEqualTo(1);
        }
        assertThat(study.resolve("study.md")).content().contains("| psql |  | failed |");
        assertThat(Files.readAllLines(study.resolve("results.jsonl")))
                .hasSize(3)
                .first()
                .asString()
                .contains("division by zero");
    }

    /** The study of wide tables ends by Ctrl-C: what was committed until then is its result. */
    @Test
    void anEndlessStudyIsCompleteWhenItIsStopped() throws Exception {
        Path study = folder.resolve("study");
        String wide = Files.readString(Path.of("..", "studies", "wide-100.yaml"));
        try (CommandProcess command = start(wide, "--source.rate", "20000", "--run.dir", study.toString())) {
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> !command.isAlive()
                            || command.output().matches("(?s).*hypertable +[\\d.]+ s +[1-9][\\d,]* rows.*"));
            command.signal("INT");
            assertThat(command.waitFor()).as(command.output()).isEqualTo(130);
            assertThat(command.output()).doesNotContain("goes on").contains("Report: ");
        }
        List<String> results = Files.readAllLines(study.resolve("results.jsonl"));
        assertThat(results).hasSize(1);
        JsonNode measured = new ObjectMapper().readTree(results.get(0));
        assertThat(measured.path("failure").isNull()).as(results.get(0)).isTrue();
        assertThat(measured.path("rows").asLong())
                .isPositive()
                .isEqualTo(database.count("SELECT count(*) FROM " + database.schema() + ".speed"));
        assertThat(study.resolve("study.md"))
                .content()
                .contains("rows/s (published)")
                .contains("| hypertable | ");
        assertThat(study.resolve("report.html")).isNotEmptyFile();
    }

    @Test
    void aStudyGrowsAndATableIsFilledBeforehand() throws Exception {
        String growing = """
                # From when on?
                question: From when on?
                repeats: 1
                settings: {source.dataset: cpu, source.devices: 100, source.rows: 4000, sink.layout: plain}
                runs:
                  - {name: none, settings: {sink.kind: discard}}
                  - {name: one, before: {source.rows: 1000, source.start: "2015-01-01T00:00:00Z"}}
                grow:
                  faster: none
                  than: one
                  stages:
                    - {name: small}
                    - {name: large, settings: {source.rows: 9000}}
                """;
        Path study = folder.resolve("study");
        try (CommandProcess command = start(growing, "--run.dir", study.toString())) {
            assertThat(command.waitFor()).as(command.output()).isZero();
            boolean first = command.output().contains("none was faster than one from small (");
            assertThat(Files.readAllLines(study.resolve("results.jsonl"))).hasSize(first ? 2 : 4);
            assertThat(database.count("SELECT count(*) FROM " + database.schema() + ".speed"))
                    .as("what was there before and what was measured")
                    .isEqualTo(first ? 5_000 : 10_000);
        }
    }

    @Test
    void aStudyThatIsNotThereIsToldAsOne() {
        Cli cli = Cli.run("study", "no-such-study");
        assertThat(cli.exit()).isEqualTo(2);
        assertThat(cli.err()).contains("there is no such study");
    }
}
