package io.chunkroll.sources.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.chunkroll.rows.Index;
import io.chunkroll.rows.TableDescription;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The data sets whose rows are of no devices. */
class NumberedDataSetsTest {

    static Stream<DataSet> dataSets() {
        return Stream.of(DataSets.MIXED, DataSets.CUSTOMER);
    }

    @ParameterizedTest
    @MethodSource("dataSets")
    void theRowsDoNotDependOnTheNumberOfLanes(DataSet dataset) {
        String rows = Text.csv(Fleets.of(dataset, 300, 1));
        assertThat(Text.csv(Fleets.of(dataset, 300, 7))).isEqualTo(rows);
        assertThat(Text.csv(Fleets.of(dataset, 300, 1_000))).isEqualTo(rows);
        assertThat(dataset.table().keyColumn()).isEqualTo(TableDescription.NONE);
    }

    @ParameterizedTest
    @MethodSource("dataSets")
    void moreRowsThanAnIntegerCountsAreRefused(DataSet dataset) {
        assertThatThrownBy(() -> Fleets.of(dataset, Integer.MAX_VALUE + 1L, 1_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("source.rows is 2147483648", "2147483647 at most");
        FleetOptions last = Fleets.of(dataset, Integer.MAX_VALUE, 1_000);
        CsvFields fields = new CsvFields(0);
        RowGenerator rows = dataset.generator(last, 0, 1_000);
        rows.write(646, 2_147_483, fields);
        assertThat(fields.length()).isPositive();
        // Without end there is no such check before.
        assertThatThrownBy(() -> rows.write(647, 2_147_483, fields))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("source.rows");
    }

    @Test
    void timeAndNumberOfTheMixedDataGrowWithEachRow() {
        assertThat(DataSets.MIXED.indexes()).map(Index::toString).containsExactly("time");
        String[] lines = Text.csv(Fleets.of(DataSets.MIXED, 4, 3)).split("\n");
        assertThat(lines)
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("2016-01-01 00:00:00+00,1,"),
                        line -> assertThat(line).startsWith("2016-01-01 00:00:10+00,2,"),
                        line -> assertThat(line).startsWith("2016-01-01 00:00:20+00,3,"),
                        line -> assertThat(line).startsWith("2016-01-01 00:00:30+00,4,"));
        assertThat(lines).allMatch(line -> line.matches("[^,]+,\\d(,-?\\d+){10}(,[A-Za-z0-9_-]{1,20}){9}"));
    }

    @Test
    void textsOfTheMixedDataHaveAnyLength() {
        Map<Integer, Integer> lengths = new HashMap<>();
        long negative = 0;
        String[] lines = Text.csv(Fleets.of(DataSets.MIXED, 4_000, 1)).split("\n");
        for (String line : lines) {
            String[] fields = line.split(",");
            for (int i = 12; i < fields.length; i++) {
                lengths.merge(fields[i].length(), 1, Integer::sum);
            }
            negative += fields[2].startsWith("-") ? 1 : 0;
        }
        assertThat(lengths.keySet()).hasSize(20);
        assertThat(lengths.values()).allSatisfy(count -> assertThat(count).isBetween(1_600, 2_000));
        assertThat(negative / 4_000.0).isCloseTo(0.5, within(0.05));
    }

    @Test
    void customersAreThoseOfTpcC() {
        assertThat(DataSets.CUSTOMER.indexes()).map(Index::toString).containsExactly("unique c_id", "c_d_id");
        assertThat(DataSets.CUSTOMER.table().columns()).allMatch(column -> column.notNull());
        int count = 31_000;
        String[] lines = Text.csv(Fleets.of(DataSets.CUSTOMER, count, 1)).split("\n");
        int bad = 0;
        double discounts = 0;
        int shortest = Integer.MAX_VALUE;
        int longest = 0;
        for (int i = 0; i < count; i++) {
            String[] f = lines[i].split(",");
            assertThat(f).hasSize(21);
            assertThat(f[0]).isEqualTo(String.valueOf(i + 1));
            assertThat(Integer.parseInt(f[1])).isNotNegative();
            assertThat(f[2]).isEqualTo(i < 30_000 ? "1" : "2");
            assertThat(f[4]).isEqualTo("OE");
            assertThat(f[10]).matches("\\d{4}11111");
            assertThat(f[11]).matches("\\d{16}");
            assertThat(f[14]).isEqualTo("50000.0000");
            assertThat(f[16]).isEqualTo("-10.0000");
            assertThat(f[17]).isEqualTo("10.0000");
            assertThat(List.of(f[18], f[19])).containsExactly("1", "0");
            assertThat(f[15]).matches("0\\.\\d{4}");
            assertThat(Double.parseDouble(f[15])).isBetween(0.0, 0.5);
            assertThat(f[3].length()).isBetween(8, 16);
            assertThat(f[6].length()).isBetween(10, 20);
            assertThat(f[9]).hasSize(2);
            bad += f[13].equals("BC") ? 1 : 0;
            discounts += Double.parseDouble(f[15]);
            shortest = Math.min(shortest, f[20].length());
            longest = Math.max(longest, f[20].length());
        }
        assertThat(bad / (double) count).isCloseTo(0.1, within(0.01));
        assertThat(discounts / count).isCloseTo(0.25, within(0.01));
        assertThat(shortest).isEqualTo(300);
        assertThat(longest).isEqualTo(500);
        assertThat(lines[0].split(",")[5]).isEqualTo("BARBARBAR");
        assertThat(lines[371].split(",")[5]).isEqualTo("PRICALLYOUGHT");
        assertThat(lines[3_371].split(",")[5]).isEqualTo("PRICALLYOUGHT");
        assertThat(lines[2_999].split(",")[5]).matches("(BAR|OUGHT|ABLE|PRI|PRES|ESE|ANTI|CALLY|ATION|EING){3}");
    }
}
