package io.chunkroll.rows;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * {@code numeric}: groups of four decimal digits with the weight of the first group, as {@code numeric_send} in PostgreSQL's
 * {@code numeric.c} writes them. The column's precision and scale are applied by the server.
 */
final class NumericParser implements ColumnParser {
    private static final int POSITIVE = 0x0000;
    private static final int NEGATIVE = 0x4000;
    private static final int NAN = 0xC000;
    private static final int POSITIVE_INFINITY = 0xD000;
    private static final int NEGATIVE_INFINITY = 0xF000;
    private static final int MAX_SCALE = 0x3FFF;
    private static final int MAX_DIGITS_BEFORE_POINT = 131_072;
    private static final int GROUP = 4;

    private byte[] digits = new byte[64];
    private byte[] encoded = new byte[64];

    @Override
    public void parse(byte[] text, int from, int to, TupleWriter out) throws BadValueException {
        int at = FieldText.skipSpaces(text, from, to);
        int end = FieldText.trimSpaces(text, at, to);
        boolean negative = at < end && text[at] == '-';
        int begin = at < end && (text[at] == '-' || text[at] == '+') ? at + 1 : at;
        if (begin == end) {
            throw FieldText.notA("number", text, from, to);
        }
        if (!FieldText.isDigit(text[begin]) && text[begin] != '.') {
            special(text, at, begin, end, negative, out);
        } else if (end - begin > 2
                && text[begin] == '0'
                && Character.isLetter(text[begin + 1])
                && text[begin + 1] != 'e'
                && text[begin + 1] != 'E') {
            nonDecimal(text, begin, end, negative, out);
        } else {
            decimal(text, begin, end, negative, out);
        }
    }

    private void special(byte[] text, int at, int begin, int end, boolean negative, TupleWriter out)
            throws BadValueException {
        String word = FieldText.lower(text, begin, end);
        if (word.equals("nan") && begin == at) {
            put(0, 0, NAN, 0, out);
        } else if (word.equals("infinity") || word.equals("inf")) {
            put(0, 0, negative ? NEGATIVE_INFINITY : POSITIVE_INFINITY, 0, out);
        } else {
            throw FieldText.notA("number", text, at, end);
        }
    }

    private void nonDecimal(byte[] text, int begin, int end, boolean negative, TupleWriter out)
            throws BadValueException {
        int radix =
                switch (text[begin + 1]) {
                    case 'x', 'X' -> 16;
                    case 'o', 'O' -> 8;
                    case 'b', 'B' -> 2;
                    default -> throw FieldText.notA("number", text, begin, end);
                };
        // What is not ASCII becomes no digit of any kind.
        String number = new String(text, begin + 2, end - begin - 2, StandardCharsets.ISO_8859_1);
        if (number.endsWith("_") || number.contains("__") || number.startsWith("-") || number.startsWith("+")) {
            throw FieldText.notA("number", text, begin, end);
        }
        try {
            byte[] decimal =
                    new BigInteger(number.replace("_", ""), radix).toString().getBytes(StandardCharsets.US_ASCII);
            decimal(decimal, 0, decimal.length, negative, out);
        } catch (NumberFormatException e) {
            throw FieldText.notA("number", text, begin, end);
        }
    }

    private void decimal(byte[] text, int begin, int end, boolean negative, TupleWriter out) throws BadValueException {
        if (digits.length < end - begin) {
            digits = new byte[2 * (end - begin)];
        }
        int count = 0;
        int beforePoint = -1;
        int at = begin;
        for (; at < end; at++) {
            byte b = text[at];
            if (FieldText.isDigit(b)) {
                digits[count++] = (byte) (b - '0');
            } else if (b == '.' && beforePoint < 0) {
                beforePoint = count;
            } else if (b != '_' || !isBetweenDigits(text, at, begin, end)) {
                break;
            }
        }
        if (count == 0) {
            throw FieldText.notA("number", text, begin, end);
        }
        if (beforePoint < 0) {
            beforePoint = count;
        }
        long exponent = at == end ? 0 : exponent(text, begin, at, end);
        int first = 0;
        while (first < count && digits[first] == 0) {
            first++;
        }
        long scale = Math.max(0, count - beforePoint - exponent);
        long pointAt = beforePoint + exponent;
        if (scale > MAX_SCALE || (first < count && pointAt - first > MAX_DIGITS_BEFORE_POINT)) {
            throw FieldText.outOfRange("numeric", text, begin, end);
        }
        group(first, count, (int) pointAt, negative ? NEGATIVE : POSITIVE, (int) scale, out);
    }

    private static boolean isBetweenDigits(byte[] text, int at, int begin, int end) {
        return at > begin && at + 1 < end && FieldText.isDigit(text[at - 1]) && FieldText.isDigit(text[at + 1]);
    }

    private static long exponent(byte[] text, int begin, int from, int end) throws BadValueException {
        int at = from;
        if (text[at] != 'e' && text[at] != 'E') {
            throw FieldText.notA("number", text, begin, end);
        }
        at++;
        boolean negative = at < end && text[at] == '-';
        if (at < end && (text[at] == '-' || text[at] == '+')) {
            at++;
        }
        if (at == end) {
            throw FieldText.notA("number", text, begin, end);
        }
        long exponent = 0;
        for (; at < end; at++) {
            if (text[at] == '_' && isBetweenDigits(text, at, begin, end)) {
                continue;
            }
            if (!FieldText.isDigit(text[at])) {
                throw FieldText.notA("number", text, begin, end);
            }
            exponent = exponent * 10 + (text[at] - '0');
            if (exponent > Integer.MAX_VALUE / 2) {
                throw FieldText.outOfRange("numeric", text, begin, end);
            }
        }
        return negative ? -exponent : exponent;
    }

    /**
     * Packs the digits from {@code first}, which is none of the leading zeros, up to {@code count} into groups of four. The decimal point
     * stands before the digit {@code pointAt}.
     */
    private void group(int first, int count, int pointAt, int sign, int scale, TupleWriter out) {
        int last = count;
        while (last > first && digits[last - 1] == 0) {
            last--;
        }
        if (first == last) {
            put(0, 0, POSITIVE, scale, out);
            return;
        }
        int weight = Math.floorDiv(pointAt - first - 1, GROUP);
        // The place, within its group, of the first digit: groups are aligned at the decimal point.
        int lead = (weight + 1) * GROUP - (pointAt - first);
        int groups = (lead + last - first + GROUP - 1) / GROUP;
        int needed = Long.BYTES + groups * Short.BYTES;
        if (encoded.length < needed) {
            encoded = Arrays.copyOf(encoded, 2 * needed);
        }
        int digit = first - lead;
        for (int g = 0; g < groups; g++) {
            int value = 0;
            for (int i = 0; i < GROUP; i++, digit++) {
                value = value * 10 + (digit >= first && digit < last ? digits[digit] : 0);
            }
            BigEndian.putShort(encoded, Long.BYTES + g * Short.BYTES, value);
        }
        put(groups, weight, sign, scale, out);
    }

    private void put(int groups, int weight, int sign, int scale, TupleWriter out) {
        BigEndian.putShort(encoded, 0, groups);
        BigEndian.putShort(encoded, 2, weight);
        BigEndian.putShort(encoded, 4, sign);
        BigEndian.putShort(encoded, 6, scale);
        out.putBytes(encoded, 0, Long.BYTES + groups * Short.BYTES);
    }
}
