package io.chunkroll.job.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.chunkroll.job.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
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
        return Study.read(file, scale, OptionalInt.empty(), Map.of("job.parallelism", "3"));
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
                        .anyMatch(fault -> fault.contains("prepare is for a run by psql"))
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
        assertThat(Study.read(file, 0.001, OptionalInt.empty(), Map.of()).runs())
                .isNotEmpty();
    }

    static List<Path> kept() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("..", "studies"))) {
            return files.filter(file -> file.toString().endsWith(".yaml")).toList();
        }
    }

    @Test
    void theTableHasEveryRunMediansAndRatios() throws IOException {
        Study study = read(1, """
                question: Which is faster?
                repeats: 3
                settings: {source.rows: 100}
                runs:
                  - {name: slow}
                  - {name: fast}
                ratios:
                  - {name: fast to slow, figure: rows_per_second, of: fast, to: slow, wanted: at least 2}
                  - {name: server, figure: server_cpu, of: fast, to: slow}
                """);
        List<Measurement> measured = List.of(
                new Measurement("slow", 1, null, 100, 10.0, 10.0, null, 1.0),
                new Measurement("fast", 1, null, 100, 2.0, 4.0, 0.5, 1.0),
                new Measurement("slow", 2, null, 100, 5.0, 5.0, null, 1.0),
                new Measurement("fast", 2, null, 100, 4.0, 6.0, 0.5, 1.0),
                Measurement.failed("fast", 3, "no room"),
                new Measurement("slow", 3, null, 100, 20.0, 20.0, null, 1.0));
        StudyTable table = new StudyTable(study, measured);
        assertThat(table.markdown())
                .contains("Which is faster?")
                .contains("| slow | 10 · 20 · 5 | 10 | 10.00 | – | 10,000.00 |")
                .contains("| fast | 50 · 25 · failed | 38 | 5.00 | 5,000.00 |")
                .contains("| fast to slow | 3.75 | at least 2 |")
                .contains("| server | – |  |");
        assertThat(table.isComplete()).isFalse();
    }
}
