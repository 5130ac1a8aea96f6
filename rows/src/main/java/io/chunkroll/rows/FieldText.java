package io.chunkroll.rows;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Small readings of a field's text that several parsers share. */
final class FieldText {
    private static final int EXCERPT = 60;

    private FieldText() {}

    /** What C's {@code isspace} takes for white space, which is what PostgreSQL's input functions skip. */
    static boolean isSpace(byte b) {
        return b == ' ' || (b >= '\t' && b <= '\r');
    }

    static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    static int skipSpaces(byte[] text, int from, int to) {
        int at = from;
        while (at < to && isSpace(text[at])) {
            at++;
        }
        return at;
    }

    static int trimSpaces(byte[] text, int from, int to) {
        int end = to;
        while (end > from && isSpace(text[end - 1])) {
            end--;
        }
        return end;
    }

    static String string(byte[] text, int from, int to) {
        return new String(text, from, to - from, StandardCharsets.UTF_8);
    }

    static String lower(byte[] text, int from, int to) {
        return string(text, from, to).toLowerCase(Locale.ROOT);
    }

    static BadValueException notA(String what, byte[] text, int from, int to) {
        return new BadValueException(quote(text, from, to) + " is no " + what);
    }

    static BadValueException outOfRange(String type, byte[] text, int from, int to) {
        return new BadValueException(quote(text, from, to) + " is out of range for " + type);
    }

    /** The text in quotes, on one line, cut to a length that a message can bear. */
    static String quote(byte[] text, int from, int to) {
        boolean cut = to - from > EXCERPT;
        String shown = string(text, from, cut ? from + EXCERPT : to);
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < shown.length(); i++) {
            char c = shown.charAt(i);
            if (c < ' ' || c == 0x7f) {
                quoted.append(String.format("\\x%02x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append(cut ? "…\"" : "\"").toString();
    }
}
