package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every data set, generated straight into a table, and written to a file that is then loaded: both tables hold the same. */
final class DataSetsITCase extends LoadScenario {
    private static final int ROWS = 10_000;

    @ParameterizedTest(name = "{0} {2} into {1}")
    @CsvSource({
        "cpu,hypertable,",
        "mixed,hypertable,",
        "tsbs-cpu,hypertable,",
        "tsbs-cpu,hypertable,source.tags columns",
        "customer,plain,",
        "wide,plain,",
        "wide,hypertable,source.columns 400;source.nulls 0.1;source.disorder 0.05",
        "wide,plain,source.value-type float4;source.nulls 0.5",
        "wide,plain,source.value-type float8;source.columns 1015",
        "wide,plain,source.columns 1598;source.nulls 0.01",
        "wide,plain,source.value-type json;source.columns 50;source.nulls 0.3",
        "wide,hypertable,source.value-type array;source.columns 20;source.nulls 0.2;source.disorder 0.1",
    })
    void aFileHoldsWhatIsGenerated(String dataset, String layout, String shape) {
        boolean wide = dataset.equals("wide");
        int rows = wide && shape != null && shape.matches(".*columns \\d{3,}.*") ? 1_000 : ROWS;
        List<String> shaped = new ArrayList<>(shape == null ? List.of() : List.of(shape.split(";")));
        List<String> size = new ArrayList<>(List.of("source.rows " + rows));
        if (!dataset.equals("mixed") && !dataset.equals("customer")) {
            size.add("source.devices 300");
        }
        List<String> generated = new ArrayList<>(shaped);
        generated.addAll(size);
        load(dataset, layout, "generated", generated);

        generated.addAll(List.of("source.dataset " + dataset, "--format=csv"));
        Path file = generate("rows.csv.gz", generated.toArray(String[]::new));
        shaped.removeIf(setting -> setting.startsWith("source.nulls ") || setting.startsWith("source.disorder "));
        shaped.addAll(List.of("source.kind csv", "source.path " + file));
        load(dataset, layout, "loaded", shaped);

        assertThat(database.count("SELECT count(*) FROM generated")).isEqualTo(rows);
        assertThat(checksum("generated")).isEqualTo(checksum("loaded"));
    }

    private void load(String dataset, String layout, String table, List<String> settings) {
        String[] target = {"source.dataset " + dataset, "sink.layout " + layout, "sink.table " + table};
        runInto(table, and(target, settings.toArray(String[]::new))).succeeded();
    }

    /** Of the whole table, row by row, whatever their order. */
    private String checksum(String table) {
        return database.one(
                "SELECT count(*) || ' ' || sum(hashtextextended(t::text, 0)::numeric) FROM " + table + " t");
    }

    @Test
    void theTableOfEachIsMadeUnderItsName() {
        run("source.dataset tsbs-cpu", "source.rows 1000").succeeded();
        assertThat(database.count(
                        "SELECT count(*) FROM cpu WHERE additional_tags IS NULL AND tags_id BETWEEN 1 AND 4000"))
                .isEqualTo(1_000);
        assertThat(database.one(
                        "SELECT string_agg(indexdef, '; ' ORDER BY indexdef) FROM pg_indexes WHERE tablename = 'cpu'"))
                .contains("(tags_id, \"time\" DESC)", "(\"time\" DESC)");
    }

    @Test
    void rowsAreDividedByTheColumnThatIsAskedFor() {
        run(
                        "source.dataset customer",
                        "source.rows 5000",
                        "job.partition-by c_zip",
                        "job.parallelism 2",
                        "sink.on-conflict skip")
                .succeeded();
        assertThat(database.count("SELECT count(DISTINCT c_id) FROM customer")).isEqualTo(5_000);
    }

    @Test
    void tsbsFilesAreTheUsualOnesOfTheirDataSet() throws IOException {
        Path file = generate("tsbs", "source.dataset tsbs-cpu", "source.rows 100", "source.devices 10");
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(203);
        assertThat(lines.get(3)).startsWith("tags,hostname=host_0,region=");
        assertThat(lines.get(202)).matches("cpu,1451606490000000000(,\\d+){10}");

        assertRefused("which only tsbs-cpu has", "--format=tsbs");
        assertRefused("--format xml: is neither csv nor tsbs", "--format=xml");
        assertRefused("always has its own header", "source.dataset tsbs-cpu", "--header");
        assertRefused("needs a number of rows", "source.rows 0");
    }

    private void assertRefused(String reason, String... words) {
        Cli cli = generating(folder.resolve("none"), words);
        assertThat(cli.exit()).isEqualTo(2);
        assertThat(cli.err()).contains(reason);
    }
}
