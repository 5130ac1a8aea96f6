package io.chunkroll.rows;

/** {@code boolean}: 1 and 0, and every unambiguous beginning of true, false, yes, no, on and off, in upper or lower case. */
final class BoolParser implements ColumnParser {

    @Override
    public void parse(byte[] text, int from, int to, TupleWriter out) throws BadValueException {
        int at = FieldText.skipSpaces(text, from, to);
        int end = FieldText.trimSpaces(text, at, to);
        String word = FieldText.lower(text, at, end);
        if (isBeginning(word, "true", 1) || isBeginning(word, "yes", 1) || word.equals("on") || word.equals("1")) {
            out.putBool(true);
        } else if (isBeginning(word, "false", 1)
                || isBeginning(word, "no", 1)
                || isBeginning(word, "off", 2)
                || word.equals("0")) {
            out.putBool(false);
        } else {
            throw FieldText.notA("boolean", text, from, to);
        }
    }

    private static boolean isBeginning(String word, String whole, int least) {
        return word.length() >= least && whole.startsWith(word);
    }
}
