package io.chunkroll.sources.fleet;

import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * Spells values as PostgreSQL does, each from a place in an array on; what is returned is the place behind it. There must be room for
 * {@link #LONGEST} bytes.
 */
final class ValueText {
    /** No value but a text is longer. */
    static final int LONGEST = 32;

    private static final long MICROS_PER_SECOND = 1_000_000;
    /** A fraction of thirteen digits is split into 6 and 7 digits, which fit an int each. */
    private static final int LOW_DIGITS = 7;

    private static final long LOW = 10_000_000;

    private ValueText() {}

    /** Spells units of 1e-13. */
    static int putFixedPoint(byte[] bytes, int at, long units) {
        int whole = (int) (units / FixedPoint.ONE);
        long fraction = units - whole * FixedPoint.ONE;
        int end = at + Decimals.digits(whole);
        Decimals.put(bytes, end, whole);
        if (fraction == 0) {
            return end;
        }
        bytes[end] = '.';
        int high = (int) (fraction / LOW);
        int highDigits = FixedPoint.DECIMALS - LOW_DIGITS;
        Decimals.putPadded(bytes, end + 1, highDigits, high);
        Decimals.putPadded(bytes, end + 1 + highDigits, LOW_DIGITS, (int) (fraction - high * LOW));
        return withoutZeros(bytes, end + 1 + FixedPoint.DECIMALS);
    }

    /** Spells units of 1e-5. */
    static int putFloat(byte[] bytes, int at, int units) {
        int whole = units / FixedPoint.FLOAT_ONE;
        int fraction = units % FixedPoint.FLOAT_ONE;
        int end = at + Decimals.digits(whole);
        Decimals.put(bytes, end, whole);
        if (fraction == 0) {
            return end;
        }
        bytes[end] = '.';
        Decimals.putPadded(bytes, end + 1, FixedPoint.FLOAT_DECIMALS, fraction);
        return withoutZeros(bytes, end + 1 + FixedPoint.FLOAT_DECIMALS);
    }

    private static int withoutZeros(byte[] bytes, int end) {
        int at = end;
        while (bytes[at - 1] == '0') {
            at--;
        }
        return at;
    }

    /** Spells all decimals of the scale, up to nine, of a number whose whole part fits an int. */
    static int putNumeric(byte[] bytes, int at, long units, int scale) {
        long one = 1;
        for (int i = 0; i < scale; i++) {
            one *= 10;
        }
        int begin = at;
        if (units < 0) {
            bytes[begin++] = '-';
        }
        long magnitude = Math.abs(units);
        int end = Decimals.putSigned(bytes, begin, Math.toIntExact(magnitude / one));
        if (scale == 0) {
            return end;
        }
        bytes[end] = '.';
        Decimals.putPadded(bytes, end + 1, scale, (int) (magnitude % one));
        return end + 1 + scale;
    }

    /** {@code 2016-01-03 23:59:30.5}, in UTC. */
    static byte[] timeWithoutZone(long unixMicros) {
        return time(unixMicros, "");
    }

    /** {@code 2016-01-03 23:59:30.5+00}. */
    static byte[] time(long unixMicros) {
        return time(unixMicros, "+00");
    }

    private static byte[] time(long unixMicros, String offset) {
        int micros = (int) Math.floorMod(unixMicros, MICROS_PER_SECOND);
        LocalDateTime time =
                LocalDateTime.ofEpochSecond(Math.floorDiv(unixMicros, MICROS_PER_SECOND), 0, ZoneOffset.UTC);
        StringBuilder text = new StringBuilder(LONGEST);
        pad(text, 4, time.getYear()).append('-');
        pad(text, 2, time.getMonthValue()).append('-');
        pad(text, 2, time.getDayOfMonth()).append(' ');
        pad(text, 2, time.getHour()).append(':');
        pad(text, 2, time.getMinute()).append(':');
        pad(text, 2, time.getSecond());
        if (micros != 0) {
            pad(text.append('.'), 6, micros);
            while (text.charAt(text.length() - 1) == '0') {
                text.setLength(text.length() - 1);
            }
        }
        return text.append(offset).toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static StringBuilder pad(StringBuilder text, int digits, int number) {
        for (int missing = digits - Decimals.digits(number); missing > 0; missing--) {
            text.append('0');
        }
        return text.append(number);
    }
}
