package io.chunkroll.sources.csv;

import io.chunkroll.sources.files.ByteSearch;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds the fields of one row, as slices of the array that holds it; nothing is copied. The rules are those of PostgreSQL's
 * {@code COPY … CSV}: quotes may open and close anywhere in a field, an escape counts within quotes only. A carriage return
 * before the line end belongs to the line end, any other is data (COPY refuses an unquoted one).
 *
 * <p>The row must end with a line feed: where the file ends without one, the caller puts one at {@code limit}. Not safe for
 * several threads.
 */
final class RowScanner {
    /** The field has no quotes: it is data as it stands, or NULL. */
    static final byte PLAIN = 0;
    /** The slice is what stood between quotes, and is data as it stands. */
    static final byte QUOTED = 1;
    /** The slice holds quotes and escapes that {@link #unescape} takes out. */
    static final byte ESCAPED = 2;

    /** What is wrong with the row's quotes. */
    enum Fault {
        NONE,
        /** Lines end rows, and one ended within quotes. */
        NEWLINE_IN_QUOTES,
        /** The data ended within quotes. */
        END_IN_QUOTES
    }

    private static final int NO_BYTE = 256;
    private static final long NEWLINES = ByteSearch.repeat((byte) '\n');

    private final int delimiter;
    private final int quote;
    private final int escape;
    private final long delimiters;
    private final long quotes;
    private final boolean linesEndRows;
    private final byte[] nullText;

    private final int[] from;
    private final int[] to;
    private final byte[] kind;
    private int count;
    private int innerNewlines;
    private int contentEnd;
    private Fault fault = Fault.NONE;

    /**
     * @param linesEndRows whether a line feed ends the row even within quotes, which then is a fault
     * @param fields how many fields are kept; further ones are only counted
     */
    RowScanner(CsvDialect dialect, boolean linesEndRows, int fields) {
        delimiter = dialect.delimiter();
        quote = dialect.hasQuotes() ? dialect.quote() : NO_BYTE;
        escape = dialect.hasQuotes() ? dialect.escape() : NO_BYTE;
        delimiters = ByteSearch.repeat((byte) delimiter);
        quotes = dialect.hasQuotes() ? ByteSearch.repeat((byte) quote) : delimiters;
        this.linesEndRows = linesEndRows;
        nullText = dialect.nullText().getBytes(StandardCharsets.UTF_8);
        from = new int[fields];
        to = new int[fields];
        kind = new byte[fields];
    }

    /** Scans the row that begins at {@code start}; returns where the next one begins, {@code limit + 1} after the sentinel. */
    int scan(byte[] bytes, int start, int limit) {
        count = 0;
        innerNewlines = 0;
        fault = Fault.NONE;
        int begin = start;
        int word = start;
        long marks = marks(bytes, word);
        for (; ; ) {
            while (marks == 0) {
                word += Long.BYTES;
                marks = marks(bytes, word);
            }
            int at = word + (Long.numberOfTrailingZeros(marks) >>> 3);
            marks &= marks - 1;
            byte mark = bytes[at];
            if (mark == delimiter) {
                put(begin, at, PLAIN);
                begin = at + 1;
            } else if (mark == '\n') {
                put(begin, withoutReturn(bytes, begin, at), PLAIN);
                return at + 1;
            } else {
                int end = scanQuoted(bytes, begin, at, limit);
                if (bytes[end] == '\n') {
                    return end + 1;
                }
                begin = end + 1;
                word = begin;
                marks = marks(bytes, word);
            }
        }
    }

    /** The delimiters, line feeds and quotes among the eight bytes from {@code at}: the highest bit of each one's byte. */
    private long marks(byte[] bytes, int at) {
        return ByteSearch.equalAny(ByteSearch.word(bytes, at), delimiters, NEWLINES, quotes);
    }

    /** How many fields the row has, kept or not. */
    int count() {
        return count;
    }

    int from(int field) {
        return from[field];
    }

    int to(int field) {
        return to[field];
    }

    byte kind(int field) {
        return kind[field];
    }

    /** Whether a {@link #PLAIN} field holds the text that stands for NULL. */
    boolean isNull(byte[] bytes, int field) {
        int start = from[field];
        int end = to[field];
        return end - start == nullText.length
                && (end == start || Arrays.equals(bytes, start, end, nullText, 0, nullText.length));
    }

    Fault fault() {
        return fault;
    }

    /** How many line ends stood within the row. */
    int innerNewlines() {
        return innerNewlines;
    }

    /** Where the row ends without its line end. */
    int contentEnd() {
        return contentEnd;
    }

    /** Scans a field with quotes, the first at {@code open}; returns where the delimiter or line end after it stands. */
    private int scanQuoted(byte[] bytes, int begin, int open, int limit) {
        int at = open;
        if (begin == open) {
            do {
                at++;
            } while (bytes[at] != quote && bytes[at] != escape && bytes[at] != '\n');
            if (bytes[at] == quote) {
                int after = at + 1;
                if (bytes[after] == '\r' && bytes[after + 1] == '\n') {
                    after++;
                }
                if (bytes[after] == delimiter || bytes[after] == '\n') {
                    put(begin + 1, at, QUOTED);
                    contentEnd = at + 1;
                    return after;
                }
            }
        }
        return scanEscaped(bytes, begin, open, limit);
    }

    private int scanEscaped(byte[] bytes, int begin, int open, int limit) {
        boolean inQuotes = true;
        int at = open + 1;
        for (; ; at++) {
            byte b = bytes[at];
            if (b == '\n') {
                if (!inQuotes || endsInQuotes(at, limit)) {
                    put(begin, withoutReturn(bytes, begin, at), ESCAPED);
                    return at;
                }
                innerNewlines++;
            } else if (!inQuotes) {
                if (b == delimiter) {
                    put(begin, at, ESCAPED);
                    return at;
                }
                inQuotes = b == quote;
            } else if (b == escape && (bytes[at + 1] == quote || bytes[at + 1] == escape)) {
                at++;
            } else if (b == quote) {
                inQuotes = false;
            }
        }
    }

    private boolean endsInQuotes(int newline, int limit) {
        if (newline == limit) {
            fault = Fault.END_IN_QUOTES;
        } else if (linesEndRows) {
            fault = Fault.NEWLINE_IN_QUOTES;
        }
        return fault != Fault.NONE;
    }

    private void put(int begin, int end, byte howWritten) {
        if (count < from.length) {
            from[count] = begin;
            to[count] = end;
            kind[count] = howWritten;
        }
        count++;
        contentEnd = end;
    }

    private static int withoutReturn(byte[] bytes, int begin, int end) {
        return end > begin && bytes[end - 1] == '\r' ? end - 1 : end;
    }

    /** Copies an {@link #ESCAPED} field's data into {@code target}, which is large enough; returns their length. */
    int unescape(byte[] bytes, int field, byte[] target) {
        boolean inQuotes = false;
        int length = 0;
        int end = to[field];
        for (int at = from[field]; at < end; at++) {
            byte b = bytes[at];
            boolean escapes =
                    inQuotes && b == escape && at + 1 < end && (bytes[at + 1] == quote || bytes[at + 1] == escape);
            if (escapes) {
                target[length++] = bytes[++at];
            } else if (b == quote) {
                inQuotes = !inQuotes;
            } else {
                target[length++] = b;
            }
        }
        return length;
    }
}
