package io.chunkroll.rows;

/**
 * {@code smallint}, {@code integer} and {@code bigint} as PostgreSQL 16 and later read them: white space around, a sign, decimal
 * digits with single underscores between them, or hexadecimal, octal and binary digits behind {@code 0x}, {@code 0o}, {@code 0b}.
 */
final class IntegerParser implements ColumnParser {
    private final ColumnType type;
    private final String name;
    private final long max;

    IntegerParser(ColumnType type, String name) {
        this.type = type;
        this.name = name;
        max = switch (type) {
            case INT2 -> Short.MAX_VALUE;
            case INT4 -> Integer.MAX_VALUE;
            default -> Long.MAX_VALUE;
        };
    }

    @Override
    public void parse(byte[] text, int from, int to, TupleWriter out) throws BadValueException {
        long value = value(text, from, to);
        switch (type) {
            case INT2 -> out.putInt2((int) value);
            case INT4 -> out.putInt4((int) value);
            default -> out.putInt8(value);
        }
    }

    private long value(byte[] text, int from, int to) throws BadValueException {
        int at = from;
        boolean negative = at < to && text[at] == '-';
        if (negative) {
            at++;
        }
        // Up to 18 decimal digits and nothing else: no overflow is possible, and this is nearly every field there is.
        if (at < to && to - at <= 18) {
            long value = 0;
            int digit = at;
            while (digit < to && FieldText.isDigit(text[digit])) {
                value = value * 10 + (text[digit++] - '0');
            }
            if (digit == to) {
                return inRange(negative ? -value : value, text, from, to);
            }
        }
        return general(text, from, to);
    }

    private long inRange(long value, byte[] text, int from, int to) throws BadValueException {
        if (value > max || value < -max - 1) {
            throw FieldText.outOfRange(name, text, from, to);
        }
        return value;
    }

    private long general(byte[] text, int from, int to) throws BadValueException {
        int at = FieldText.skipSpaces(text, from, to);
        int end = FieldText.trimSpaces(text, at, to);
        boolean negative = at < end && text[at] == '-';
        if (at < end && (text[at] == '-' || text[at] == '+')) {
            at++;
        }
        int radix = radix(text, at, end);
        boolean underscoreMayStand = radix != 10;
        at += radix == 10 ? 0 : 2;
        boolean digitSeen = false;
        long value = 0;
        for (; at < end; at++) {
            if (text[at] == '_' && underscoreMayStand && at + 1 < end) {
                underscoreMayStand = false;
                continue;
            }
            int digit = Character.digit(text[at], radix);
            if (digit < 0) {
                throw FieldText.notA(name, text, from, to);
            }
            // Summed up below zero, where the smallest number has room.
            if (value < (Long.MIN_VALUE + digit) / radix) {
                throw FieldText.outOfRange(name, text, from, to);
            }
            value = value * radix - digit;
            digitSeen = true;
            underscoreMayStand = true;
        }
        if (!digitSeen) {
            throw FieldText.notA(name, text, from, to);
        }
        if (!negative && value == Long.MIN_VALUE) {
            throw FieldText.outOfRange(name, text, from, to);
        }
        return inRange(negative ? value : -value, text, from, to);
    }

    private static int radix(byte[] text, int at, int end) {
        if (end - at < 2 || text[at] != '0') {
            return 10;
        }
        return switch (text[at + 1]) {
            case 'x', 'X' -> 16;
            case 'o', 'O' -> 8;
            case 'b', 'B' -> 2;
            default -> 10;
        };
    }
}
