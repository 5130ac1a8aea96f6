package io.chunkroll.sources.csv;

/**
 * Tells line ends that end a row from those within quotes. Opens and closes quotes as PostgreSQL does: a quote counts wherever
 * it stands in a field.
 */
final class QuoteTracker {
    private static final byte NEWLINE = '\n';

    private final byte quote;
    private final byte escape;
    private final boolean hasEscape;

    private boolean quoted;
    private boolean escaped;
    private boolean sawQuotedNewline;

    QuoteTracker(CsvDialect dialect) {
        quote = (byte) dialect.quote();
        escape = (byte) dialect.escape();
        hasEscape = dialect.escape() != dialect.quote();
    }

    /** Goes back to the start of a row. */
    void reset() {
        quoted = false;
        escaped = false;
    }

    /** Whether any line end passed so far stood within quotes. */
    boolean sawQuotedNewline() {
        return sawQuotedNewline;
    }

    /** Walks over the bytes and returns the index after the last line end outside quotes, or -1 if there is none. */
    int walk(byte[] bytes, int from, int to) {
        int at = from;
        int rowsEnd = -1;
        if (!quoted) {
            int firstQuote = ByteSearch.first(bytes, from, to, quote);
            at = firstQuote < 0 ? to : firstQuote;
            int newline = ByteSearch.last(bytes, from, at, NEWLINE);
            rowsEnd = newline < 0 ? -1 : newline + 1;
        }
        for (; at < to; at++) {
            byte b = bytes[at];
            if (b == NEWLINE) {
                escaped = false;
                if (quoted) {
                    sawQuotedNewline = true;
                } else {
                    rowsEnd = at + 1;
                }
            } else if (hasEscape && quoted && b == escape) {
                escaped = !escaped;
            } else {
                if (b == quote && !escaped) {
                    quoted = !quoted;
                }
                escaped = false;
            }
        }
        return rowsEnd;
    }
}
