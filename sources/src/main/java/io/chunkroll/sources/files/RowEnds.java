package io.chunkroll.sources.files;

/** Tells which line ends of a file end a row. */
public interface RowEnds {
    /** Every line end does. */
    RowEnds LINES = new RowEnds() {
        @Override
        public int first(byte[] bytes, int from, int to) {
            int newline = ByteSearch.first(bytes, from, to, (byte) '\n');
            return newline < 0 ? -1 : newline + 1;
        }

        @Override
        public int last(byte[] bytes, int to) {
            return ByteSearch.last(bytes, 0, to, (byte) '\n') + 1;
        }

        @Override
        public int lookahead() {
            return 0;
        }
    };

    /**
     * The index after the first line end in {@code [from, to)} that is known to end a row; -1 if there is none. Only where ranges of a file
     * are read, and so not where a line end may stand within quotes.
     */
    int first(byte[] bytes, int from, int to);

    /** The index after the last line end before {@code to} that is known to end a row, the first byte beginning one; 0 or less if there is none. */
    int last(byte[] bytes, int to);

    /** How many bytes at a line end and behind it must be seen, so that it is known what it ends. */
    int lookahead();
}
