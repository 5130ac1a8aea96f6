package io.chunkroll.rows;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random texts, the same in every run, against Java's own parsers, which round to the nearest as C's do. */
class FloatParserTest {
    private static final int VALUES = 10_000;
    private final Random random = new Random(20160103);

    /** A value in several spellings: shortest, 17 digits, fewer digits, all digits there are. */
    private List<String> spellings(double value) {
        List<String> texts = new ArrayList<>();
        texts.add(Double.toString(value));
        texts.add(String.format(Locale.ROOT, "%.16e", value));
        texts.add(String.format(Locale.ROOT, "%." + random.nextInt(16) + "e", value));
        if (Math.abs(value) < 1e30 && Math.abs(value) > 1e-30) {
            texts.add(String.format(Locale.ROOT, "%." + random.nextInt(20) + "f", value));
            texts.add(new BigDecimal(value).toPlainString());
        }
        return texts;
    }

    private double nextValue() {
        return switch (random.nextInt(4)) {
            case 0 -> Double.longBitsToDouble(random.nextLong());
            case 1 -> random.nextGaussian() * 100;
            case 2 -> random.nextInt(1_000_000) / 1_000.0;
            default -> random.nextLong() / 1e4;
        };
    }

    @Test
    void doublesAreTheNearest() throws BadValueException {
        TupleWriter writer = new TupleWriter(Rows.table(ColumnType.FLOAT8));
        FloatParser parser = new FloatParser(false, "double precision");
        for (int i = 0; i < VALUES; i++) {
            double value = nextValue();
            if (!Double.isFinite(value)) {
                continue;
            }
            for (String text : spellings(value)) {
                // Rounded up beyond the largest, which is refused.
                if (Double.isInfinite(Double.parseDouble(text))) {
                    continue;
                }
                byte[] field = parse(parser, writer, text);
                assertThat(BigEndian.getLong(field, 0))
                        .as(text)
                        .isEqualTo(Double.doubleToLongBits(Double.parseDouble(text)));
            }
        }
    }

    @Test
    void floatsAreTheNearestAndNotRoundedTwice() throws BadValueException {
        TupleWriter writer = new TupleWriter(Rows.table(ColumnType.FLOAT4));
        FloatParser parser = new FloatParser(true, "real");
        for (int i = 0; i < VALUES; i++) {
            float value = Float.intBitsToFloat(random.nextInt());
            if (!Float.isFinite(value) || Math.abs(value) > 1e38 || Math.abs(value) < 1e-37) {
                continue;
            }
            // Right between two floats, and a little more and less than that.
            BigDecimal half = new BigDecimal(value).add(new BigDecimal(Math.ulp(value)).divide(BigDecimal.valueOf(2)));
            BigDecimal bit = half.ulp();
            List<String> texts = new ArrayList<>(spellings(value));
            texts.addAll(List.of(
                    half.toString(),
                    half.add(bit).toString(),
                    half.subtract(bit).toString()));
            for (String text : texts) {
                byte[] field = parse(parser, writer, text);
                assertThat(BigEndian.getInt(field, 0)).as(text).isEqualTo(Float.floatToIntBits(Float.parseFloat(text)));
            }
        }
    }

    private static byte[] parse(FloatParser parser, TupleWriter writer, String text) throws BadValueException {
        byte[] bytes = text.getBytes(US_ASCII);
        writer.begin();
        parser.parse(bytes, 0, bytes.length, writer);
        return Rows.fields(writer.end()).get(0);
    }
}
