package io.chunkroll.job.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.job.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StudyTest {
    @TempDir
    Path folder;

    private Study read(double scale, String text) throws IOException {
        Path file = folder.resolve("mine.yaml");
        Files.writeString(file, text);
        return StudyFile.read(file, scale, OptionalInt.empty(), Map.of("job.parallelism", "3"));
    }

    @Test
    void scalesRowsAndLetsTheCommandLineWin() throws IOException {
        Study study = read(0.01, """
                question: Why?
                repeats: 2
                input: {source.rows: 1_000_000, source.devices: 10}
                settings: {source.kind: csv, source.dataset: cpu, sink.layout: plain, job.parallelism: 1}
                runs:
                  - {name: a, psql: 2}
                  - {name: b, rows: 5000, settings: {sink.layout: hypertable}}
                  - {name: c, settings: {source.kind: generated, source.rows: 700}}
                ratios:
                  - {name: a to b, figure: rows_per_second, of: a, to: b}
                """);
        assertThat(study.name()).isEqualTo("mine");
        assertThat(study.repeats()).isEqualTo(2);
        assertThat(study.input()).containsEntry("source.rows", "10000");
        assertThat(study.runs().get(0).psql()).hasValue(2);
        assertThat(study.runs().get(1).rows()).contains(50L);
        assertThat(study.runs().get(1).texts())
                .containsEntry("sink.layout", "hypertable")
                .containsEntry("job.parallelism", "3")
                .containsEntry("sink.create", "recreate");
        assertThat(study.runs().get(2).texts()).containsEntry("source.rows", "7");
        assertThat(study.readsInput(study.runs().get(1))).isTrue();
        assertThat(study.readsInput(study.runs().get(2))).isFalse();
    }

    @Test
    void tellsOfAllFaultsAtOnce() {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> read(1, """
                        repeat: 2
                        settings: {sink.layout: plain}
                        runs:
                          - {name: a, settings: {sink.layoot: plain}, pqsl: 1}
                          - {name: a, psql: 1}
                        ratios:
                          - {name: r, figure: speed, of: a, to: z}
                        """))
                .satisfies(e -> assertThat(e.faults())
                        .anyMatch(fault -> fault.startsWith("repeat: is no key of a study"))
                        .anyMatch(fault -> fault.contains("pqsl: is no key"))
                        .anyMatch(fault -> fault.startsWith("question: is missing"))
                        .anyMatch(fault -> fault.contains("two have the same name"))
                        .anyMatch(fault -> fault.startsWith("a: sink.layoot"))
                        .anyMatch(fault -> fault.contains("psql needs"))
                        .anyMatch(fault -> fault.contains("figure is one of rows_per_second"))
                        .anyMatch(fault -> fault.contains("to names no run: 'z'")));
    }

    @Test
    void tellsOfWordsWhereNumbersShouldBeAndOfWhatWouldBeIgnored() {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> read(1, """
                        question: Why?
                        repeats: three
                        input: {source.devcies: 2000, source.rows: 1e6}
                        settings: [a, b]
                        runs:
                          - {name: a, rows: 2M}
                          - {name: ../b, psql: two}
                          - {name: c, settings: {source: {rows: 0}, sink.table: }}
                          - {name: input-d, prepare: SELECT 1}
                          - {name: e, rows: 5, settings: {source.kind: csv, source.path: e.csv, source.dataset: cpu}}
                        """))
                .satisfies(e -> assertThat(e.faults())
                        .anyMatch(fault -> fault.startsWith("repeats: must be a whole number"))
                        .anyMatch(fault -> fault.startsWith("input: source.devcies"))
                        .anyMatch(fault -> fault.startsWith("input: source.rows: must be a whole number"))
                        .anyMatch(fault -> fault.startsWith("settings: must hold keys and values"))
                        .anyMatch(fault -> fault.startsWith("a: rows: must be a whole number"))
                        .anyMatch(fault -> fault.contains("'../b'"))
                        .anyMatch(fault -> fault.startsWith("../b: psql: must be a whole number"))
                        .anyMatch(fault ->
                                fault.startsWith("c: source.rows: must be a whole number of at least 1, not '0'"))
                        .anyMatch(fault -> fault.startsWith("c: sink.table \"\": is empty"))
                        .anyMatch(fault -> fault.contains("'input-d'"))
                        .anyMatch(fault -> fault.contains("prepare and finish are for a run by psql"))
                        .anyMatch(fault -> fault.contains("source.path names another file")));
    }

    @Test
    void rowsThatNobodyNumbersAreScaledToo() throws IOException {
        Study study = read(0.001, """
                question: Why?
                input: {source.dataset: cpu}
                runs:
                  - {name: a}
                """);
        assertThat(study.input()).containsEntry("source.rows", "10000");
        assertThat(study.runs().get(0).texts()).containsEntry("source.rows", "10000");
    }

    /** Every study that is kept can be read, and says in a comment what it asks. */
    @ParameterizedTest
    @MethodSource("kept")
    void thoseThatAreKeptAreGood(Path file) throws IOException {
        assertThat(Files.readAllLines(file).get(0)).startsWith("# ").endsWith("?");
        assertThat(StudyFile.read(file, 0.001, OptionalInt.empty(), Map.of()).runs())
                .isNotEmpty();
    }

    static List<Path> kept() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("..", "studies"))) {
            return files.filter(file -> file.toString().endsWith(".yaml")).toList();
        }
    }

    @Test
    void aFleetShrinksWithItsRowsAndChunksFollow() throws IOException {
        String text = """
                question: Why?
                chunks: 6
                settings: {source.interval: 10 s, source.devices: 4000, source.rows: 1_000_000}
                runs:
                  - {name: a}
                  - {name: b, chunks: 2}
                  - {name: c, settings: {sink.chunk-interval: 1 h}}
                """;
        Study whole = read(1, text);
        assertThat(whole.runs().get(0).texts())
                .containsEntry("source.devices", "4000")
                .containsEntry("sink.chunk-interval", "420 s");
        assertThat(whole.notes()).isEmpty();
        Study small = read(0.001, text);
        assertThat(small.runs().get(0).texts())
                .containsEntry("source.rows", "1000")
                .containsEntry("source.devices", "83")
                .containsEntry("sink.chunk-interval", "30 s");
        assertThat(small.runs().get(1).texts()).containsEntry("sink.chunk-interval", "70 s");
        assertThat(small.runs().get(2).texts()).containsEntry("sink.chunk-interval", "1 h");
        assertThat(small.notes())
                .containsExactly("Scaled: 83 devices instead of 4,000, lest a device have too few rows.");
    }

    @Test
    void aRunWithoutEndIsTheOnlyOneUnlessRowsAreGiven() throws IOException {
        String text = """
                question: Why?
                endless: true
                settings: {source.rows: 1000}
                runs:
                  - {name: a}
                  - {name: b, settings: {sink.kind: discard}}
                ratios:
                  - {name: a to b, figure: rows_per_second, of: a, to: b}
                """;
        Study endless = read(1, text);
        assertThat(endless.runs()).hasSize(1).allMatch(Study.PlannedRun::isEndless);
        assertThat(endless.ratios()).isEmpty();
        assertThat(read(0.5, text).runs())
                .hasSize(2)
                .allMatch(run -> run.texts().get("source.rows").equals("500"));
    }

    @Test
    void aTableMayBeFilledBeforehand() throws IOException {
        Study study = read(0.1, """
                question: Why?
                settings: {source.dataset: cpu, source.kind: csv, source.path: more.csv, sink.layout: partitioned}
                runs:
                  - name: a
                    before: {source.rows: 1000, source.devices: 5, sink.load: bulk}
                """);
        assertThat(study.runs().get(0).before())
                .containsEntry("source.kind", "generated")
                .containsEntry("source.rows", "100")
                .containsEntry("sink.load", "bulk")
                .containsEntry("sink.create", "recreate")
                .doesNotContainKey("source.path");
    }

    private static Measurement measured(String run, int repeat, double rate, Double serverCpu) {
        Map<Figure, OptionalDouble> figures = new EnumMap<>(Figure.class);
        figures.put(Figure.ROWS_PER_SECOND, OptionalDouble.of(rate));
        figures.put(Figure.SERVER_CPU, serverCpu == null ? OptionalDouble.empty() : OptionalDouble.of(serverCpu));
        return Measurement.of(run, repeat, 100, figures);
    }

    private static Measurements of(Measurement... list) {
        Measurements measurements = new Measurements();
        Stream.of(list).forEach(measurements::add);
        return measurements;
    }

    @Test
    void theTableHasEveryRunMediansSpreadRatiosAndWhatOthersPublished() throws IOException {
        Study study = read(1, """
                question: Which is faster?
                published: A slower machine.
                repeats: 3
                show: [server_cpu]
                settings: {source.rows: 100}
                runs:
                  - {name: slow, published: {rows_per_second: 7}}
                  - {name: fast}
                ratios:
                  - {name: fast to slow, figure: rows_per_second, of: fast, to: slow, wanted: at least 2, published: 1.5}
                  - {name: server, figure: server_cpu, of: fast, to: slow}
                """);
        Measurements measured = of(
                measured("slow", 1, 10, null),
                measured("fast", 1, 50, 5000.0),
                measured("slow", 2, 20, null),
                measured("fast", 2, 25, 5000.0),
                Measurement.failed("fast", 3, "no room"),
                measured("slow", 3, 5, null));
        assertThat(new StudyTable(study, measured, Optional.empty(), "chunkroll study x").markdown())
                .contains("Which is faster?")
                .contains(
                        "| run | rows | rows/s, every run | median | spread | rows/s (published) | server CPU, us/row, median |")
                .contains("| slow | 100 | 10 · 20 · 5 | 10 | 150 % | 7 | – |")
                .contains("| fast | 100 | 50 · 25 · failed | 38 | 67 % |  | 5,000.00 |")
                .contains("- fast, repeat 3, failed: no room")
                .contains("| fast to slow | 3.75 | 1.50 | at least 2 |")
                .contains("| server | – |  |  |")
                .contains("Columns marked (published) are not ours: A slower machine. Compare ratios, not rates.");
        assertThat(study.isComplete(measured)).isFalse();
    }

    private static final String GROWING = """
            question: From which size on?
            repeats: 2
            runs:
              - {name: plain}
              - {name: hyper}
            grow:
              faster: hyper
              than: plain
              stages:
                - {name: small, settings: {source.rows: 10}}
                - {name: middle, settings: {source.rows: 20}}
                - {name: large, settings: {source.rows: 30}}
            """;

    @Test
    void aStudyGrowsUntilOneRunIsFasterBeyondTheSpread() throws IOException {
        Study study = read(1, GROWING);
        assertThat(study.runs()).hasSize(6);
        assertThat(study.runs(1)).extracting(Study.PlannedRun::name).containsExactly("plain, middle", "hyper, middle");
        assertThat(study.runs(2)).allMatch(run -> run.texts().get("source.rows").equals("30"));
        Measurements measured = of(
                measured("plain, small", 1, 10, null),
                measured("hyper, small", 1, 9, null),
                measured("plain, small", 2, 12, null),
                measured("hyper, small", 2, 11, null));
        assertThat(study.endsAfter(0, measured)).as("the ranges overlap").isFalse();
        assertThat(study.isComplete(measured)).isFalse();
        Stream.of(
                        measured("plain, middle", 1, 10, null),
                        measured("hyper, middle", 1, 20, null),
                        measured("plain, middle", 2, 12, null),
                        measured("hyper, middle", 2, 13, null))
                .forEach(measured::add);
        assertThat(study.endsAfter(1, measured)).isTrue();
        assertThat(study.isComplete(measured)).as("large is not needed").isTrue();
        assertThat(new StudyTable(study, measured, Optional.empty(), "chunkroll study x").markdown())
                .contains("**hyper was faster than plain from middle (100 rows) on: 1.50 times the rows/s")
                .contains("(before: 0.91 at small (100 rows))")
                .doesNotContain("| plain, large");
    }

    @Test
    void aRunThatNeverBecomesFasterIsToldAsOne() throws IOException {
        Study study = read(1, GROWING);
        Measurements measured = new Measurements();
        for (String stage : List.of("small", "middle", "large")) {
            for (int repeat = 1; repeat <= 2; repeat++) {
                measured.add(measured("plain, " + stage, repeat, 10, null));
                measured.add(measured("hyper, " + stage, repeat, 8, null));
            }
        }
        assertThat(study.isComplete(measured)).isTrue();
        assertThat(new StudyTable(study, measured, Optional.empty(), "chunkroll study x").markdown())
                .contains(
                        "**hyper was never faster than plain beyond the spread of the repeats: 0.80 at small (100 rows), 0.80 at middle");
    }

    @Test
    void growthAndPublishedFiguresAreChecked() {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> read(1, """
                        question: Why?
                        show: [speed]
                        runs:
                          - {name: a, published: {rows: 5, wal_bytes: many}, before: {sink.load: bulk}}
                        grow: {faster: a, than: z, steps: 3}
                        """))
                .satisfies(e -> assertThat(e.faults())
                        .anyMatch(fault -> fault.startsWith("show: speed is none of"))
                        .anyMatch(fault -> fault.startsWith("a: published: rows: must be"))
                        .anyMatch(fault -> fault.startsWith("a: published: wal_bytes: must be"))
                        .anyMatch(fault -> fault.startsWith("a: before: source.rows is missing"))
                        .anyMatch(fault -> fault.startsWith("grow: steps: is no key"))
                        .anyMatch(fault -> fault.startsWith("grow: than names no run"))
                        .anyMatch(fault -> fault.startsWith("grow: stages: are missing")));
    }

    /** What an editor is told is what the reader takes. */
    @Test
    void theSchemaKnowsTheSameKeys() throws IOException {
        JsonNode schema = new ObjectMapper().readTree(Files.readString(Path.of("..", "studies", "schema.json")));
        JsonNode run = schema.at("/properties/runs/items");
        assertThat(keys(schema)).isEqualTo(StudyFile.KEYS);
        assertThat(keys(run)).isEqualTo(StudyFile.RUN_KEYS);
        assertThat(keys(schema.at("/properties/grow"))).isEqualTo(StudyFile.GROW_KEYS);
        assertThat(keys(schema.at("/properties/grow/properties/stages/items"))).isEqualTo(StudyFile.STAGE_KEYS);
        assertThat(keys(schema.at("/properties/ratios/items"))).isEqualTo(StudyFile.RATIO_KEYS);
        List<String> figures = new ArrayList<>();
        schema.at("/$defs/figure/enum").forEach(word -> figures.add(word.asText()));
        assertThat(figures).isEqualTo(Figure.words());
    }

    private static Set<String> keys(JsonNode object) {
        Set<String> keys = new TreeSet<>();
        object.path("properties").fieldNames().forEachRemaining(keys::add);
        return keys;
    }
}
