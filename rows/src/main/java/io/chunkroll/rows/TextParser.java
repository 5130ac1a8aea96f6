package io.chunkroll.rows;

/**
 * Text types: the bytes as they are, once they are known to be what PostgreSQL stores, UTF-8 without a NUL byte. Checked here
 * because the server would refuse the whole batch for one such field and name no file.
 */
final class TextParser implements ColumnParser {
    private final boolean jsonb;

    TextParser(boolean jsonb) {
        this.jsonb = jsonb;
    }

    @Override
    public void parse(byte[] text, int from, int to, TupleWriter out) throws BadValueException {
        check(text, from, to);
        if (jsonb) {
            out.putJsonb(text, from, to);
        } else {
            out.putBytes(text, from, to);
        }
    }

    static void check(byte[] text, int from, int to) throws BadValueException {
        int at = from;
        while (at < to) {
            byte b = text[at];
            if (b > 0) {
                at++;
            } else if (b == 0) {
                throw new BadValueException(
                        "a NUL byte at its offset " + (at - from) + " cannot be stored in a text column");
            } else {
                at += sequenceLength(text, at, to, from);
            }
        }
    }

    /** The length of the multi-byte sequence at {@code at}, by the table of well-formed sequences in the Unicode Standard (3-7). */
    private static int sequenceLength(byte[] text, int at, int to, int from) throws BadValueException {
        int first = text[at] & 0xff;
        int length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
        boolean valid = first >= 0xc2 && first <= 0xf4 && at + length <= to;
        for (int i = 1; valid && i < length; i++) {
            valid = (text[at + i] & 0xc0) == 0x80;
        }
        if (valid && length > 2) {
            int second = text[at + 1] & 0xff;
            valid = switch (first) {
                case 0xe0 -> second >= 0xa0;
                case 0xed -> second <= 0x9f;
                case 0xf0 -> second >= 0x90;
                case 0xf4 -> second <= 0x8f;
                default -> true;
            };
        }
        if (!valid) {
            throw new BadValueException(
                    String.format("the byte 0x%02x at its offset %d is not part of valid UTF-8", first, at - from));
        }
        return length;
    }
}
