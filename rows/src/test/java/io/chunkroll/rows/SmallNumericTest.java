package io.chunkroll.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SmallNumericTest {
    private static final TableDescription TABLE = new TableDescription(
            List.of(new Column("n", ColumnType.NUMERIC, "numeric", false)),
            TableDescription.NONE,
            TableDescription.NONE);

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0, 4",
        "1, 4",
        "-1, 4",
        "1, 0",
        "9999, 0",
        "10000, 0",
        "10000, 4",
        "500000000, 4",
        "-100000, 4",
        "5, 1",
        "12345, 3",
        "12345678, 9",
        "999999999999999999, 8",
        "100000000, 0",
        "-123456789012345, 2"
    })
    void theFormIsThatOfTheParsedText(long units, int scale) throws BadValueException {
        assertThat(encoded(units, scale)).isEqualTo(parsed(units, scale));
    }

    @Test
    void anyNumberIs() throws BadValueException {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 20_000; i++) {
            long units = random.nextLong(-999_999_999_999_999L, 999_999_999_999_999L) >> random.nextInt(48);
            int scale = random.nextInt(10);
            if (!encoded(units, scale).equals(parsed(units, scale))) {
                throw new AssertionError(units + " with scale " + scale);
            }
        }
    }

    @Test
    void whatIsTooLargeIsRefused() {
        assertThatThrownBy(() -> encoded(Long.MAX_VALUE, 3)).isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> encoded(Long.MIN_VALUE, 0)).isInstanceOf(ArithmeticException.class);
    }

    private static Tuple encoded(long units, int scale) {
        TupleWriter writer = new TupleWriter(TABLE);
        writer.begin();
        writer.putNumeric(units, scale);
        return writer.end().copy();
    }

    private static Tuple parsed(long units, int scale) throws BadValueException {
        RowEncoder encoder = new RowEncoder(TABLE, new ParseOptions(ZoneOffset.UTC, "auto"));
        byte[] text = BigDecimal.valueOf(units, scale).toPlainString().getBytes(StandardCharsets.US_ASCII);
        encoder.begin();
        encoder.field(text, 0, text.length);
        return encoder.end().copy();
    }
}
