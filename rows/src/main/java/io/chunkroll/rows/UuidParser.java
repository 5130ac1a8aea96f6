package io.chunkroll.rows;

/** {@code uuid}: 32 hexadecimal digits, a hyphen allowed after every fourth, braces allowed around all. */
final class UuidParser implements ColumnParser {
    private static final int BYTES = 16;
    private final byte[] value = new byte[BYTES];

    @Override
    public void parse(byte[] text, int from, int to, TupleWriter out) throws BadValueException {
        boolean braces = from < to && text[from] == '{';
        int at = braces ? from + 1 : from;
        int end = braces && text[to - 1] == '}' ? to - 1 : to;
        if (braces && end == to) {
            throw FieldText.notA("uuid", text, from, to);
        }
        for (int i = 0; i < BYTES; i++) {
            int high = at < end ? Character.digit(text[at], 16) : -1;
            int low = at + 1 < end ? Character.digit(text[at + 1], 16) : -1;
            if (high < 0 || low < 0) {
                throw FieldText.notA("uuid", text, from, to);
            }
            value[i] = (byte) (high << 4 | low);
            at += 2;
            if (i % 2 == 1 && i < BYTES - 1 && at < end && text[at] == '-') {
                at++;
            }
        }
        if (at != end) {
            throw FieldText.notA("uuid", text, from, to);
        }
        out.putBytes(value, 0, BYTES);
    }
}
