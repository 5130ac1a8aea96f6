package io.chunkroll.sources.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.chunkroll.rows.Index;
import io.chunkroll.rows.Tuple;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WideDataSetTest {
    private static final long DAY_MICROS = 86_400_000_000L;

    private static DataSet wide(int columns, ValueType type, double disorder, double nulls) {
        return DataSets.wide(new WideOptions(columns, type, disorder, nulls));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            INT    | c1 integer, c2 integer, c3 integer
            FLOAT4 | c1 real, c2 real, c3 real
            FLOAT8 | c1 double precision, c2 double precision, c3 double precision
            JSON   | c jsonb
            ARRAY  | c integer[]
            """)
    void theTableHasAColumnEachOrOneForAll(ValueType type, String columns) {
        DataSet wide = wide(3, type, 0, 0);
        assertThat(wide.table()).hasToString("ts timestamp without time zone, tag_id integer, " + columns);
        assertThat(wide.table().isBinary()).isEqualTo(type != ValueType.ARRAY);
        assertThat(wide.indexes()).map(Index::toString).containsExactly("tag_id, ts");
    }

    @ParameterizedTest
    @EnumSource(ValueType.class)
    void valuesAreEmptyAsOftenAsWanted(ValueType type) {
        int rows = 4_000;
        String[] lines = Text.csv(Fleets.of(wide(8, type, 0, 0.25), rows, 20)).split("\n");
        long empty = 0;
        for (String line : lines) {
            String values = line.substring(line.indexOf(',', line.indexOf(',') + 1) + 1);
            empty += switch (type) {
                case JSON -> 8 - values.chars().filter(c -> c == ':').count();
                case ARRAY -> values.split("NULL", -1).length - 1;
                default ->
                    List.of(values.split(",", -1)).stream()
                            .filter(String::isEmpty)
                            .count();
            };
        }
        assertThat(empty / (8.0 * rows)).isCloseTo(0.25, within(0.01));
    }

    @Test
    void allValuesOrNoneMayBeEmpty() {
        assertThat(Text.csv(Fleets.of(wide(3, ValueType.INT, 0, 1), 1, 1))).isEqualTo("2016-01-01 00:00:00,1,,,\n");
        assertThat(Text.csv(Fleets.of(wide(3, ValueType.JSON, 0, 1), 1, 1)))
                .isEqualTo("2016-01-01 00:00:00,1,\"{}\"\n");
        assertThat(Text.csv(Fleets.of(wide(3, ValueType.ARRAY, 0, 1), 1, 1)))
                .isEqualTo("2016-01-01 00:00:00,1,\"{NULL,NULL,NULL}\"\n");
        assertThat(Text.csv(Fleets.of(wide(3, ValueType.ARRAY, 0, 0), 1, 1)))
                .matches("2016-01-01 00:00:00,1,\"\\{-?\\d+,-?\\d+,-?\\d+}\"\n");
        assertThat(Text.csv(Fleets.of(wide(2, ValueType.JSON, 0, 0), 1, 1)))
                .matches("2016-01-01 00:00:00,1,\"\\{\"\"c1\"\":-?\\d+,\"\"c2\"\":-?\\d+}\"\n");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0.1, 400", "1, 4000"})
    void lateRowsAreUpToADayLate(double disorder, int expected) {
        FleetOptions fleet = Fleets.of(wide(1, ValueType.INT, disorder, 0), 4_000, 20);
        List<Tuple> rows = Rows.all(fleet);
        int late = 0;
        long latest = 0;
        for (int i = 0; i < rows.size(); i++) {
            long behind = fleet.timeOf(i / 20) - rows.get(i).time();
            assertThat(behind).isBetween(0L, DAY_MICROS);
            late += behind > 0 ? 1 : 0;
            latest = Math.max(latest, behind);
        }
        assertThat(late).isCloseTo(expected, within(60));
        assertThat(latest > DAY_MICROS / 2).isEqualTo(disorder > 0);
        assertThatThrownBy(() -> new FleetOptions(
                        wide(1, ValueType.INT, 0.1, 0),
                        1,
                        1,
                        Instant.parse("0001-01-01T12:00:00Z"),
                        Fleets.INTERVAL,
                        1,
                        0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("late rows");
    }

    @ParameterizedTest
    @CsvSource({
        "INT, 1598, 0",
        "INT, 1598, 0.5",
        "FLOAT4, 1598, 0",
        "FLOAT8, 1015, 0",
        "FLOAT8, 1000, 0.5",
        "JSON, 1600, 0",
        "ARRAY, 1600, 0.1"
    })
    void widthsUpToPostgresLimitAreTaken(ValueType type, int columns, double nulls) {
        assertThat(wide(columns, type, 0, nulls).valuesPerRow()).isEqualTo(columns);
        assertThat(Text.csv(Fleets.of(wide(columns, type, 0, nulls), 3, 2)).split("\n"))
                .hasSize(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            INT    | 1599 | 0   | with ts and tag_id PostgreSQL takes no more than 1600 columns: give 1598 at most
            INT    | 1601 | 0   | source.columns is 1601, but must be 1 to 1600
            JSON   | 1601 | 0   | source.columns is 1601, but must be 1 to 1600
            FLOAT8 | 1016 | 0   | source.value-type is float8, so that a row can have 8168 bytes, but a page of PostgreSQL's holds one of 8160: give 1015 columns
            FLOAT8 | 1015 | 0.1 | so that a row can have 8280 bytes
            FLOAT8 | 1598 | 0   | give 1015 columns
            INT    | 10   | 1.1 | source.nulls is 1.1, but must be a share
            INT    | 0    | NaN | source.nulls is NaN
            """)
    void widerRowsAreRefused(ValueType type, int columns, double nulls, String reason) {
        assertThatThrownBy(() -> new WideOptions(columns, type, 0, nulls))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void allFaultsAreNamedAtOnce() {
        assertThatThrownBy(() -> new WideOptions(0, ValueType.INT, -0.5, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("source.columns is 0", "source.disorder is -0.5", "source.nulls is 2.0");
    }
}
