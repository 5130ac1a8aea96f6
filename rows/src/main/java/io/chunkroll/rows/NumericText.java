package io.chunkroll.rows;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** Turns the binary form of {@code numeric} (see {@code numeric_send} in PostgreSQL's {@code numeric.c}) back into text. */
public final class NumericText {
    private static final int NEGATIVE = 0x4000;
    private static final int NAN = 0xC000;
    private static final int POSITIVE_INFINITY = 0xD000;
    private static final int NEGATIVE_INFINITY = 0xF000;
    private static final BigInteger BASE = BigInteger.valueOf(10_000);
    private static final int DIGITS_A_GROUP = 4;

    private NumericText() {}

    /** The number whose binary form begins at this index. */
    public static String of(byte[] bytes, int at) {
        int groups = BigEndian.getShort(bytes, at);
        int weight = BigEndian.getShort(bytes, at + 2);
        int sign = BigEndian.getShort(bytes, at + 4) & 0xffff;
        int scale = BigEndian.getShort(bytes, at + 6);
        return switch (sign) {
            case NAN -> "NaN";
            case POSITIVE_INFINITY -> "Infinity";
            case NEGATIVE_INFINITY -> "-Infinity";
            default ->
                finite(bytes, at + 8, groups, weight, sign == NEGATIVE)
                        .setScale(scale, RoundingMode.UNNECESSARY)
                        .toPlainString();
        };
    }

    private static BigDecimal finite(byte[] bytes, int at, int groups, int weight, boolean negative) {
        BigInteger digits = BigInteger.ZERO;
        for (int i = 0; i < groups; i++) {
            digits = digits.multiply(BASE).add(BigInteger.valueOf(BigEndian.getShort(bytes, at + Short.BYTES * i)));
        }
        int exponent = (weight + 1 - groups) * DIGITS_A_GROUP;
        return new BigDecimal(negative ? digits.negate() : digits).scaleByPowerOfTen(exponent);
    }
}
