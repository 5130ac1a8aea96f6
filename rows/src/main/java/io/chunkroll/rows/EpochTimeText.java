package io.chunkroll.rows;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** A count of seconds, milliseconds, microseconds or nanoseconds since 1970-01-01 UTC, fractions allowed. */
final class EpochTimeText extends TimeText {
    /** A row of so many digits fits a long, and nanoseconds do up to the year 2286. */
    private static final int LONGEST_FAST = 19;

    private static final int NANOS_PER_MICRO = 1_000;
    /** A power of ten below which nothing is left of a number, whatever its unit. */
    private static final int VANISHING = -18;

    private final long microsPerUnit;
    private final int digitsToDrop;

    EpochTimeText(long microsPerUnit, int digitsToDrop) {
        this.microsPerUnit = microsPerUnit;
        this.digitsToDrop = digitsToDrop;
    }

    @Override
    void read(byte[] text, int from, int to, boolean toUtc) throws BadValueException {
        long micros = to - from <= LONGEST_FAST ? integer(text, from, to) : -1;
        if (micros < 0) {
            micros = decimal(text, from, to);
        }
        set(Math.floorDiv(micros, TupleWriter.MICROS_PER_DAY), Math.floorMod(micros, TupleWriter.MICROS_PER_DAY));
    }

    /** -1 for whatever is not a plain row of digits or would not fit. */
    private long integer(byte[] text, int from, int to) {
        long value = 0;
        for (int at = from; at < to; at++) {
            if (!FieldText.isDigit(text[at]) || value > (Long.MAX_VALUE - 9) / 10) {
                return -1;
            }
            value = value * 10 + (text[at] - '0');
        }
        if (from == to || value > Long.MAX_VALUE / microsPerUnit) {
            return -1;
        }
        return digitsToDrop == 0 ? value * microsPerUnit : microsOfNanos(value);
    }

    /** To the nearest, a half to the even one. */
    private static long microsOfNanos(long nanos) {
        long micros = nanos / NANOS_PER_MICRO;
        long rest = nanos % NANOS_PER_MICRO;
        boolean up = rest > NANOS_PER_MICRO / 2 || (rest == NANOS_PER_MICRO / 2 && (micros & 1) == 1);
        return up ? micros + 1 : micros;
    }

    private long decimal(byte[] text, int from, int to) throws BadValueException {
        int at = FieldText.skipSpaces(text, from, to);
        int end = FieldText.trimSpaces(text, at, to);
        try {
            BigDecimal value = new BigDecimal(FieldText.string(text, at, end));
            if (value.precision() - value.scale() > Long.SIZE) {
                throw FieldText.outOfRange("timestamp", text, from, to);
            }
            if (value.precision() - value.scale() < VANISHING) {
                return 0;
            }
            return value.multiply(BigDecimal.valueOf(microsPerUnit))
                    .movePointLeft(digitsToDrop)
                    .setScale(0, RoundingMode.HALF_EVEN)
                    .longValueExact();
        } catch (NumberFormatException e) {
            throw FieldText.notA("number, as source.csv.time-format wants it", text, from, to);
        } catch (ArithmeticException e) {
            throw FieldText.outOfRange("timestamp", text, from, to);
        }
    }
}
