package io.chunkroll.sources.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvFieldsTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 0.0000000000001",
        "10000000000000, 1",
        "10500000000000, 1.05",
        "806521114433705, 80.6521114433705",
        "9999999999999, 0.9999999999999",
        "100000000000000, 10",
        "999999999999999, 99.9999999999999",
        "1000000000000000, 100"
    })
    void aNumberHasItsDigitsWithoutTrailingZeros(long units, String text) {
        assertThat(text(units)).isEqualTo(text);
        assertThat(FixedPoint.toDouble(units)).isEqualTo(Double.parseDouble(text));
    }

    @Test
    void anyNumberIsTheDoubleNearestToItsText() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 200_000; i++) {
            long units = random.nextLong(FixedPoint.HUNDRED + 1) >>> random.nextInt(50);
            if (Double.parseDouble(text(units)) != FixedPoint.toDouble(units)) {
                throw new AssertionError(units + " is written as " + text(units));
            }
        }
    }

    @Test
    void theHeaderNamesTheColumns() {
        CsvFields fields = new CsvFields(0);
        fields.header(DataSets.CPU);
        assertThat(new String(fields.bytes(), 0, fields.length(), StandardCharsets.UTF_8))
                .isEqualTo(
                        "time,hostname,usage_user,usage_system,usage_idle,usage_nice,usage_iowait,usage_irq,usage_softirq,"
                                + "usage_steal,usage_guest,usage_guest_nice\n");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "9, 9", "10, 10", "99, 99", "100, 100", "2147483647, 2147483647", "1000000000, 1000000000"})
    void wholeNumbersHaveTheirDigits(int number, String text) {
        byte[] bytes = new byte[12];
        int begin = Decimals.put(bytes, 12, number);
        assertThat(new String(bytes, begin, 12 - begin, StandardCharsets.US_ASCII))
                .isEqualTo(text);
        assertThat(Decimals.digits(number)).isEqualTo(text.length());
    }

    private static String text(long units) {
        CsvFields fields = new CsvFields(0);
        fields.fixedPoint(units);
        fields.end();
        return new String(fields.bytes(), 0, fields.length() - 1, StandardCharsets.UTF_8);
    }
}
