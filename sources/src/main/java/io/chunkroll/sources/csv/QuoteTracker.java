package io.chunkroll.sources.csv;

import io.chunkroll.sources.files.ByteSearch;
import io.chunkroll.sources.files.RowEnds;

/**
 * Tells line ends that end a row from those within quotes. Opens and closes quotes as PostgreSQL does: a quote counts wherever
 * it stands in a field.
 */
final class QuoteTracker implements RowEnds {
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

    /** A file in which line ends may stand within quotes is not read in ranges. */
    @Override
    public int first(byte[] bytes, int from, int to) {
        throw new UnsupportedOperationException("A range of a file with quoted line ends");
    }

    @Override
    public int last(byte[] bytes, int to) {
        reset();
        return walk(bytes, 0, to);
    }

    @Override
    public int lookahead() {
        return 0;
    }
}
