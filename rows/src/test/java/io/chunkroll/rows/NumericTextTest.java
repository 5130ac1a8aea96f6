package io.chunkroll.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumericTextTest {

    @ParameterizedTest
    @CsvSource({
        "0,            0",
        "-0.000,       0.000",
        "1.50e1,       15.0",
        "-12345.678,   -12345.678",
        "1e30,         1000000000000000000000000000000",
        "1e-12,        0.000000000001",
        "10000,        10000",
        "100000000.5,  100000000.5",
        "0.00010,      0.00010",
        "123456789012345678901234567890.123456789012345678901234567890, 123456789012345678901234567890.123456789012345678901234567890",
        "NaN,          NaN",
        "inf,          Infinity",
        "-Infinity,    -Infinity",
    })
    void isTheDecimalThatWasEncoded(String text, String expected) throws Exception {
        TableDescription table =
                new TableDescription(List.of(new Column("n", ColumnType.NUMERIC, "numeric", false)), -1, -1);
        RowEncoder encoder = new RowEncoder(table, ParseOptions.DEFAULT);
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        encoder.begin();
        encoder.field(bytes, 0, bytes.length);
        Tuple row = encoder.end();
        assertThat(NumericText.of(row.bytes(), Short.BYTES + Integer.BYTES)).isEqualTo(expected);
    }
}
