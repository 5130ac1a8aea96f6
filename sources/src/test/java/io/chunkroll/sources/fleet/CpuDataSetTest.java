package io.chunkroll.sources.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.rows.Index;
import io.chunkroll.rows.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class CpuDataSetTest {

    @Test
    void theTableIsThatOfTheStudy() {
        assertThat(DataSets.CPU.table())
                .hasToString("time timestamp with time zone, hostname text, "
                        + "usage_user double precision, usage_system double precision, usage_idle double precision, "
                        + "usage_nice double precision, usage_iowait double precision, usage_irq double precision, "
                        + "usage_softirq double precision, usage_steal double precision, usage_guest double precision, "
                        + "usage_guest_nice double precision");
        assertThat(DataSets.CPU.table().timeColumn()).isZero();
        assertThat(DataSets.CPU.table().keyColumn()).isEqualTo(1);
        assertThat(DataSets.CPU.table().columns().get(0).notNull()).isTrue();
        assertThat(DataSets.CPU.indexes()).map(Index::toString).containsExactly("time desc", "hostname, time desc");
    }

    @Test
    void itIsFoundByName() {
        assertThat(DataSets.named("cpu")).contains(DataSets.CPU);
        assertThat(DataSets.named("gpu")).isEmpty();
        assertThat(DataSets.names()).contains("cpu");
    }

    @Test
    void settingsTravelWithTheSource() throws Exception {
        FleetOptions fleet = Fleets.cpu(1, 1);
        assertThat(InstantiationUtil.clone(fleet)).isEqualTo(fleet);
    }

    @Test
    void textAndTupleAreTheSameDoubles() {
        FleetOptions fleet = Fleets.cpu(100_000, 50);
        String[] lines = Text.csv(fleet).split("\n");
        List<Tuple> tuples = Rows.all(fleet);
        boolean hundred = false;
        boolean zero = false;
        boolean small = false;
        for (int i = 0; i < tuples.size(); i++) {
            String[] fields = lines[i].split(",");
            assertThat(fields).hasSize(12);
            assertThat(fields[1]).isEqualTo(Rows.host(tuples.get(i)));
            double[] metrics = Rows.metrics(tuples.get(i));
            for (int m = 0; m < metrics.length; m++) {
                String text = fields[2 + m];
                if (Double.parseDouble(text) != metrics[m]
                        || text.replace(".", "").length() > 15) {
                    throw new AssertionError(text + " and " + metrics[m] + " in row " + i);
                }
                hundred |= text.equals("100");
                zero |= text.equals("0");
                small |= text.startsWith("0.");
            }
        }
        assertThat(new boolean[] {hundred, zero, small}).containsOnly(true);
    }

    @Test
    void rowsAreSpelledAsPostgresDoes() {
        String[] lines = Text.csv(Fleets.cpu(6, 2)).split("\n");
        assertThat(lines[0]).startsWith("2016-01-01 00:00:00+00,host_0,");
        assertThat(lines[3]).startsWith("2016-01-01 00:00:10+00,host_1,");
        assertThat(lines).hasSize(6).allMatch(line -> line.matches("[^,]+,host_[01](,\\d+(\\.\\d*[1-9])?){10}"));

        FleetOptions fine = new FleetOptions(
                DataSets.CPU, 3, 1, Instant.parse("1969-12-31T23:59:59.5Z"), Duration.ofNanos(250_001_000), 1, 0);
        assertThat(Text.csv(fine).split("\n"))
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("1969-12-31 23:59:59.5+00,"),
                        line -> assertThat(line).startsWith("1969-12-31 23:59:59.750001+00,"),
                        line -> assertThat(line).startsWith("1970-01-01 00:00:00.000002+00,"));
    }

    @Test
    void theSeedDecidesTheValues() {
        assertThat(Text.csv(Fleets.cpu(1_000, 10))).isEqualTo(Text.csv(Fleets.cpu(1_000, 10)));

        List<Tuple> rows = Rows.all(Fleets.cpu(1_000, 10));
        List<Tuple> others = Rows.all(Fleets.cpu(1_000, 10, Fleets.SEED + 1));
        assertThat(rows).doesNotContainAnyElementsOf(others);
    }

    /** A guard: published runs are repeatable only while these do not change. */
    @Test
    void theValuesOfASeedStayWhatTheyAre() {
        assertThat(Text.csv(Fleets.cpu(1, 1)))
                .isEqualTo("2016-01-01 00:00:00+00,host_0,97.4977900902303,95.6211996438477,63.847827899972,"
                        + "94.7224963047966,3.8502544253477,76.2559978391865,84.7337585613647,65.6665877641567,"
                        + "67.8582150017662,24.9925960869128\n");
    }

    @Test
    void aSkippedStepCountsAsAWrittenOne() {
        FleetOptions fleet = Fleets.cpu(500, 5);
        RowGenerator part = fleet.dataset().generator(fleet, 3, 2);
        TupleFields fields = TupleFields.of(fleet.dataset().table());
        part.skip(1, 0, 60);
        part.skip(1, 60, 99);
        part.write(1, 99, fields);
        assertThat(fields.tuple()).isEqualTo(Rows.all(fleet).get(499));
    }
}
