package io.chunkroll.sources.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.rows.BadValueException;
import io.chunkroll.rows.ParseOptions;
import io.chunkroll.rows.RowEncoder;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sources.fleet.FleetHarness.Checkpoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of the rows of every data set, in every shape. */
class EveryDataSetTest {
    private static final FleetFileWriter.Progress SILENT = (rows, bytes) -> {};

    static Stream<DataSet> dataSets() {
        return Stream.concat(
                Stream.of(
                        DataSets.CPU,
                        DataSets.MIXED,
                        DataSets.CUSTOMER,
                        DataSets.tsbsCpu(TagPlace.TABLE),
                        DataSets.tsbsCpu(TagPlace.COLUMNS),
                        DataSets.wide(WideOptions.USUAL)),
                Stream.of(ValueType.values()).map(type -> DataSets.wide(new WideOptions(17, type, 0.2, 0.3))));
    }

    @ParameterizedTest
    @MethodSource("dataSets")
    void theRowsAreTheSameAtAnyParallelism(DataSet dataset) throws IOException {
        FleetOptions fleet = Fleets.of(dataset, 2_345, 7);
        List<String> expected = sorted(Rows.all(fleet));
        for (int parallelism : new int[] {1, 2, 5}) {
            FleetHarness harness = FleetHarness.start(fleet, parallelism).registerAll();
            harness.runToEnd();
            assertThat(sorted(harness.rows())).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("dataSets")
    void aRestartGoesOnWhereItWas(DataSet dataset) throws IOException {
        FleetOptions fleet = Fleets.of(dataset, 3_001, 300);
        List<String> expected = sorted(Rows.all(fleet));
        for (int polls : new int[] {0, 1, 4, 9, 14}) {
            FleetHarness before = FleetHarness.start(fleet, 2).registerAll();
            for (int i = 0; i < polls; i++) {
                before.poll(i % 2, 1);
            }
            Checkpoint checkpoint = before.checkpoint();
            FleetHarness after = FleetHarness.restore(fleet, 3, checkpoint).registerAll();
            after.runToEnd();

            List<Tuple> all = new ArrayList<>(before.rows());
            all.addAll(after.rows());
            assertThat(sorted(all)).isEqualTo(expected);
        }
    }

    /** Whoever reads the file as CSV, by the types of the table, gets what is generated. */
    @ParameterizedTest
    @MethodSource("dataSets")
    void aFileHoldsTheSameRows(DataSet dataset) throws Exception {
        FleetOptions fleet = Fleets.of(dataset, 3_000, 70);
        String[] lines = Text.csv(fleet).split("\n");
        List<Tuple> tuples = Rows.all(fleet);
        RowEncoder encoder = new RowEncoder(dataset.table(), new ParseOptions(ZoneOffset.UTC, "auto"));
        assertThat(lines).hasSize(tuples.size());
        for (int i = 0; i < lines.length; i++) {
            if (!encoded(lines[i], encoder).equals(tuples.get(i))) {
                throw new AssertionError("Row " + i + " is no " + lines[i]);
            }
        }
    }

    private static Tuple encoded(String line, RowEncoder encoder) throws BadValueException {
        encoder.begin();
        for (String field : fields(line)) {
            if (field.isEmpty()) {
                encoder.nullField();
            } else {
                byte[] text = field.getBytes(StandardCharsets.UTF_8);
                encoder.field(text, 0, text.length);
            }
        }
        return encoder.end();
    }

    /** Fields apart by commas, those in quotes without them; no quoted field is empty. */
    private static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                if (quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                    field.append(line.charAt(++i));
                } else {
                    quoted = !quoted;
                }
            } else if (c == ',' && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }

    @ParameterizedTest
    @MethodSource("dataSets")
    void aFilesBytesDoNotDependOnTheNumberOfThreads(DataSet dataset, @TempDir Path folder) throws IOException {
        FleetOptions fleet = Fleets.of(dataset, 20_001, 333);
        for (FleetFileFormat format : dataset.fileFormats()) {
            byte[] one = written(fleet, folder.resolve("one"), format, 1);
            assertThat(written(fleet, folder.resolve("three"), format, 3)).isEqualTo(one);
        }
    }

    private static byte[] written(FleetOptions fleet, Path file, FleetFileFormat format, int threads)
            throws IOException {
        new FleetFileWriter(fleet, new OutputFile(file), format, false, threads).write(SILENT);
        return Files.readAllBytes(file);
    }

    @ParameterizedTest
    @MethodSource("dataSets")
    void aSkippedStepCountsAsAWrittenOne(DataSet dataset) {
        FleetOptions fleet = Fleets.of(dataset, 500, 5);
        RowGenerator part = dataset.generator(fleet, 3, 2);
        TupleFields fields = TupleFields.of(dataset.table());
        part.skip(1, 0, 99);
        part.write(1, 99, fields);
        assertThat(fields.tuple()).isEqualTo(Rows.all(fleet).get(499));
    }

    @ParameterizedTest
    @MethodSource("dataSets")
    void itTravelsWithTheSource(DataSet dataset) throws Exception {
        FleetOptions fleet = Fleets.of(dataset, 1, 1);
        FleetOptions clone = InstantiationUtil.clone(fleet);
        assertThat(clone).isEqualTo(fleet);
        assertThat(clone.fingerprint()).isEqualTo(fleet.fingerprint());
        assertThat(clone.dataset().table()).isEqualTo(dataset.table());
    }

    @ParameterizedTest
    @MethodSource("dataSets")
    void theSeedDecidesTheRows(DataSet dataset) {
        FleetOptions fleet = Fleets.of(dataset, 200, 20);
        List<Tuple> others = Rows.all(new FleetOptions(
                dataset, fleet.rows(), fleet.devices(), fleet.start(), fleet.interval(), fleet.seed() + 1, 0));
        assertThat(Rows.all(fleet)).isEqualTo(Rows.all(fleet)).isNotEqualTo(others);
    }

    @Test
    void aCheckpointOfAnotherShapeIsAnothers() {
        Set<Long> fingerprints = new HashSet<>();
        List<DataSet> all = dataSets().toList();
        all.forEach(dataset -> fingerprints.add(Fleets.of(dataset, 100, 10).fingerprint()));
        assertThat(fingerprints).hasSameSizeAs(all);
        assertThat(Fleets.of(DataSets.wide(new WideOptions(10, ValueType.INT, 0, 0.1)), 100, 10)
                        .fingerprint())
                .isNotEqualTo(Fleets.of(DataSets.wide(new WideOptions(10, ValueType.INT, 0.1, 0)), 100, 10)
                        .fingerprint());
    }

    @Test
    void eachIsFoundByItsName() {
        assertThat(DataSets.names()).containsExactly("cpu", "mixed", "tsbs-cpu", "customer", "wide");
        assertThat(DataSets.names())
                .allSatisfy(name -> assertThat(DataSets.named(name))
                        .get()
                        .extracting(DataSet::name)
                        .isEqualTo(name));
    }

    /** Each row as its bytes' text, so that rows can be put in order and compared whatever their table is. */
    private static List<String> sorted(List<Tuple> rows) {
        return rows.stream()
                .map(row ->
                        Arrays.toString(Arrays.copyOf(row.bytes(), row.length())) + row.time() + ' ' + row.keyHash())
                .sorted(Comparator.naturalOrder())
                .toList();
    }
}
