package io.chunkroll.sources.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.chunkroll.rows.Index;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TsbsCpuDataSetTest {
    private static final DataSet TABLE = DataSets.tsbsCpu(TagPlace.TABLE);

    @TempDir
    Path folder;

    @Test
    void theTableIsThatOfTsbs() {
        assertThat(TABLE.tableName()).isEqualTo("cpu");
        assertThat(TABLE.table().toString())
                .startsWith("time timestamp with time zone, tags_id integer, usage_user double precision,")
                .endsWith("usage_guest_nice double precision, additional_tags jsonb");
        assertThat(TABLE.indexes()).map(Index::toString).containsExactly("tags_id, time desc", "time desc");

        DataSet columns = DataSets.tsbsCpu(TagPlace.COLUMNS);
        assertThat(columns.table().toString())
                .startsWith(
                        "time timestamp with time zone, hostname text, region text, datacenter text, rack text, os text,"
                                + " arch text, team text, service text, service_version text, service_environment text, usage_user")
                .endsWith("usage_guest_nice double precision");
        assertThat(columns.indexes()).map(Index::toString).containsExactly("hostname, time desc", "time desc");
    }

    /** A guard: published runs are repeatable only while these do not change. */
    @Test
    void theValuesOfASeedStayWhatTheyAre() {
        assertThat(Text.csv(Fleets.of(TABLE, 1, 1)))
                .isEqualTo("2016-01-01 00:00:00+00,1,59,40,80,70,56,0,20,16,96,97,\n");
    }

    @Test
    void metricsStartUniformlyAndWalkByANormalNumber() {
        int hosts = 2_000;
        int steps = 12;
        List<double[]> rows =
                Rows.all(Fleets.of(DataSets.tsbsCpu(TagPlace.COLUMNS), (long) hosts * steps, hosts)).stream()
                        .map(Rows::metrics)
                        .toList();
        double sum = 0;
        double squares = 0;
        double moves = 0;
        double moveSquares = 0;
        long count = 0;
        boolean hundred = false;
        for (int row = 0; row < rows.size(); row++) {
            double[] metrics = rows.get(row);
            for (int m = 0; m < metrics.length; m++) {
                double value = metrics[m];
                assertThat(value).isBetween(0.0, 100.0).isEqualTo(Math.rint(value));
                hundred |= value == 100;
                if (row < hosts) {
                    sum += value;
                    squares += value * value;
                } else {
                    double before = rows.get(row - hosts)[m];
                    if (before > 5 && before < 95) {
                        moves += value - before;
                        moveSquares += (value - before) * (value - before);
                        count++;
                    }
                }
            }
        }
        double mean = sum / (hosts * 10.0);
        assertThat(mean).isCloseTo(49.5, within(1.0));
        assertThat(squares / (hosts * 10.0) - mean * mean).isCloseTo(100 * 100 / 12.0, within(25.0));
        assertThat(moves / count).isCloseTo(0, within(0.02));
        // Cutting off the fractions of both ends adds twice the variance of a uniform number of 0 to 1.
        assertThat(moveSquares / count).isCloseTo(1 + 2 / 12.0, within(0.03));
        assertThat(hundred).isTrue();
    }

    /** As in TSBS's own files, and as the public description of its format has it. */
    @Test
    void aFileOfItsFormatHasTwoLinesARow() throws IOException {
        FleetOptions fleet = Fleets.of(TABLE, 5, 2);
        List<String> lines = tsbs(fleet);
        assertThat(lines.subList(0, 3))
                .containsExactly(
                        "tags,hostname string,region string,datacenter string,rack string,os string,arch string,team string,"
                                + "service string,service_version string,service_environment string",
                        "cpu,usage_user,usage_system,usage_idle,usage_nice,usage_iowait,usage_irq,usage_softirq,usage_steal,"
                                + "usage_guest,usage_guest_nice",
                        "");
        String[] csv = Text.csv(fleet).split("\n");
        assertThat(lines).hasSize(3 + 2 * csv.length);
        FleetTags tags = TABLE.tags().orElseThrow();
        for (int row = 0; row < csv.length; row++) {
            List<String> pairs = new ArrayList<>();
            for (int i = 0; i < tags.names().size(); i++) {
                pairs.add(tags.names().get(i)
                        + '='
                        + tags.values(Fleets.SEED, row % 2).get(i));
            }
            assertThat(lines.get(3 + 2 * row)).isEqualTo("tags," + String.join(",", pairs));
            String[] fields = csv[row].split(",");
            String nanos = (1_451_606_400 + row / 2 * 10) + "000000000";
            assertThat(lines.get(4 + 2 * row))
                    .isEqualTo("cpu," + nanos + ','
                            + String.join(",", List.of(fields).subList(2, 12)));
        }
    }

    private List<String> tsbs(FleetOptions fleet) throws IOException {
        Path file = folder.resolve("tsbs.txt");
        new FleetFileWriter(fleet, file, FleetFileFormat.TSBS, false).write((rows, bytes) -> {});
        return Files.readAllLines(file);
    }

    @Test
    void aFileOfItsFormatIsTheSameWhereverTagsStand() throws IOException {
        assertThat(tsbs(Fleets.of(DataSets.tsbsCpu(TagPlace.COLUMNS), 50, 7))).isEqualTo(tsbs(Fleets.of(TABLE, 50, 7)));
    }

    @Test
    void otherDataSetsAndOtherTimesHaveNoSuchFile() {
        assertThatThrownBy(
                        () -> new FleetFileWriter(Fleets.cpu(1, 1), folder.resolve("x"), FleetFileFormat.TSBS, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("which only tsbs-cpu has");
        FleetOptions late = new FleetOptions(TABLE, 1, 1, Instant.parse("2300-01-01T00:00:00Z"), Fleets.INTERVAL, 1, 0);
        assertThatThrownBy(() -> new FleetFileWriter(late, folder.resolve("x"), FleetFileFormat.TSBS, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("source.start");
    }

    @Test
    void tenMillionHostsFitAHeapOfAGigabyteAndAHundredDoNot() {
        long heap = 1L << 30;
        assertThat(HeapShare.fault(10_000_000, TABLE, heap)).isEmpty();
        assertThat(HeapShare.fault(100_000_000, TABLE, heap))
                .hasValueSatisfying(fault -> assertThat(fault)
                        .startsWith("source.devices: 100,000,000 devices of source.dataset tsbs-cpu keep 1,907 MB")
                        .contains("(26,843,545 at most)", "-Xmx"));
        assertThat(HeapShare.fault(Integer.MAX_VALUE, DataSets.MIXED, 1)).isEmpty();
    }
}
