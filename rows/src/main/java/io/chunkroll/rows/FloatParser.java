package io.chunkroll.rows;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import ch.randelshofer.fastdoubleparser.JavaFloatParser;
import java.util.regex.Pattern;

/**
 * {@code real} and {@code double precision}: the nearest value to the decimal, as the C library's {@code strtod} and
 * {@code strtof} give it to PostgreSQL, which refuses what overflows to infinity or underflows to zero.
 */
final class FloatParser implements ColumnParser {
    private static final Pattern HEXADECIMAL =
            Pattern.compile("[+-]?0x([0-9a-f]+\\.?[0-9a-f]*|\\.[0-9a-f]+)(p[+-]?[0-9]+)?");
    private static final double[] TENS = new double[23];
    private static final float[] FLOAT_TENS = new float[11];

    static {
        TENS[0] = 1;
        for (int i = 1; i < TENS.length; i++) {
            TENS[i] = TENS[i - 1] * 10;
        }
        for (int i = 0; i < FLOAT_TENS.length; i++) {
            FLOAT_TENS[i] = (float) TENS[i];
        }
    }

    private final boolean single;
    private final String name;

    FloatParser(boolean single, String name) {
        this.single = single;
        this.name = name;
    }

    @Override
    public void parse(byte[] text, int from, int to, TupleWriter out) throws BadValueException {
        int at = from;
        boolean negative = at < to && text[at] == '-';
        if (negative) {
            at++;
        }
        // Clinger's fast path: up to 15 digits and a power of ten that are both exact make one correctly rounded
        // division.
        if (to - at <= 16) {
            long digits = 0;
            int point = -1;
            int begin = at;
            for (; at < to; at++) {
                byte b = text[at];
                if (FieldText.isDigit(b)) {
                    digits = digits * 10 + (b - '0');
                } else if (b == '.' && point < 0) {
                    point = at;
                } else {
                    break;
                }
            }
            int count = at - begin - (point < 0 ? 0 : 1);
            if (at == to && count > 0 && count <= 15) {
                int scale = point < 0 ? 0 : to - point - 1;
                if (!single) {
                    double value = digits / TENS[scale];
                    out.putFloat8(negative ? -value : value);
                    return;
                }
                if (digits <= 1 << 24 && scale < FLOAT_TENS.length) {
                    float value = digits / FLOAT_TENS[scale];
                    out.putFloat4(negative ? -value : value);
                    return;
                }
            }
        }
        general(text, from, to, out);
    }

    private void general(byte[] text, int from, int to, TupleWriter out) throws BadValueException {
        int at = FieldText.skipSpaces(text, from, to);
        int end = FieldText.trimSpaces(text, at, to);
        Shape shape = Shape.of(text, at, end);
        switch (shape) {
            case DECIMAL, DECIMAL_ZERO -> decimal(text, at, end, shape == Shape.DECIMAL_ZERO, out);
            case OTHER -> special(text, at, end, out);
        }
    }

    private void decimal(byte[] text, int at, int end, boolean zero, TupleWriter out) throws BadValueException {
        if (single) {
            put(JavaFloatParser.parseFloat(text, at, end - at), zero, text, at, end, out);
        } else {
            put(JavaDoubleParser.parseDouble(text, at, end - at), zero, text, at, end, out);
        }
    }

    private void put(double value, boolean zero, byte[] text, int at, int end, TupleWriter out)
            throws BadValueException {
        if (Double.isInfinite(value) || (value == 0 && !zero)) {
            throw FieldText.outOfRange(name, text, at, end);
        }
        if (single) {
            out.putFloat4((float) value);
        } else {
            out.putFloat8(value);
        }
    }

    private void special(byte[] text, int at, int end, TupleWriter out) throws BadValueException {
        String word = FieldText.lower(text, at, end);
        boolean negative = word.startsWith("-");
        String bare = negative || word.startsWith("+") ? word.substring(1) : word;
        double value;
        if (bare.equals("nan")) {
            value = Double.NaN;
        } else if (bare.equals("infinity") || bare.equals("inf")) {
            value = negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        } else if (bare.startsWith("0x")) {
            hexadecimal(word, text, at, end, out);
            return;
        } else {
            throw FieldText.notA("number", text, at, end);
        }
        if (single) {
            out.putFloat4((float) value);
        } else {
            out.putFloat8(value);
        }
    }

    private void hexadecimal(String word, byte[] text, int at, int end, TupleWriter out) throws BadValueException {
        if (!HEXADECIMAL.matcher(word).matches()) {
            throw FieldText.notA("number", text, at, end);
        }
        String java = word.contains("p") ? word : word + "p0";
        boolean zero = word.replaceAll("^[+-]?0x|p.*$", "").matches("[0.]*");
        put(single ? Float.parseFloat(java) : Double.parseDouble(java), zero, text, at, end, out);
    }

    /** What kind of text this is: the libraries below take more than PostgreSQL does, a trailing {@code d} for one. */
    private enum Shape {
        DECIMAL,
        DECIMAL_ZERO,
        OTHER;

        static Shape of(byte[] text, int from, int to) {
            int at = from;
            if (at < to && (text[at] == '-' || text[at] == '+')) {
                at++;
            }
            boolean zero = true;
            boolean digits = false;
            boolean point = false;
            for (; at < to; at++) {
                byte b = text[at];
                if (FieldText.isDigit(b)) {
                    digits = true;
                    zero &= b == '0';
                } else if (b == '.' && !point) {
                    point = true;
                } else {
                    break;
                }
            }
            if (!digits || (at < to && !isExponent(text, at, to))) {
                return OTHER;
            }
            return zero ? DECIMAL_ZERO : DECIMAL;
        }

        private static boolean isExponent(byte[] text, int from, int to) {
            int at = from;
            if (text[at] != 'e' && text[at] != 'E') {
                return false;
            }
            at++;
            if (at < to && (text[at] == '-' || text[at] == '+')) {
                at++;
            }
            int digits = at;
            while (at < to && FieldText.isDigit(text[at])) {
                at++;
            }
            return at == to && at > digits;
        }
    }
}
