package io.chunkroll.sources.csv;

import io.chunkroll.sources.files.SourceException;
import java.io.Serializable;

/**
 * How fields and rows are written, with the meaning that PostgreSQL's {@code COPY … CSV} gives to the same options. All four
 * marks are single ASCII characters, for the data are scanned as bytes.
 *
 * @param delimiter between two fields of a row
 * @param quote around a field that holds delimiters, quotes or line ends; {@link #NO_QUOTE} if every byte is data
 * @param escape before a quote or an escape within quotes; equal to {@code quote} where quotes are doubled
 * @param nullText what an unquoted field holds if it is NULL; empty, an unquoted empty field is NULL and {@code ""} is an empty
 *     string
 */
public record CsvDialect(char delimiter, char quote, char escape, String nullText) implements Serializable {
    /** As {@link #quote()}: there are no quotes. */
    public static final char NO_QUOTE = '\0';

    /** RFC 4180: commas, double quotes, doubled quotes, and NULL for an unquoted empty field. */
    public static final CsvDialect DEFAULT = new CsvDialect(',', '"', '"', "");

    /**
     * @throws SourceException if a mark is no printable ASCII character or tab, if two of them are the same, or if the text for
     *     NULL holds one of them
     */
    public CsvDialect {
        checkMark("source.csv.delimiter", delimiter);
        if (quote != NO_QUOTE) {
            checkMark("source.csv.quote", quote);
            checkMark("source.csv.escape", escape);
        }
        if (quote == delimiter || (quote != NO_QUOTE && escape == delimiter)) {
            throw new SourceException("source.csv.delimiter '" + delimiter
                    + "' is also source.csv.quote or source.csv.escape: give three marks that can be told apart");
        }
        for (char mark : new char[] {delimiter, quote, '\n', '\r'}) {
            if (mark != NO_QUOTE && nullText.indexOf(mark) >= 0) {
                throw new SourceException(
                        "source.csv.null must hold no delimiter, quote or line end, for it is compared with"
                                + " unquoted fields");
            }
        }
    }

    /** These marks with another delimiter. */
    public CsvDialect withDelimiter(char mark) {
        return new CsvDialect(mark, quote, escape, nullText);
    }

    /** These marks with another text for NULL. */
    public CsvDialect withNullText(String text) {
        return new CsvDialect(delimiter, quote, escape, text);
    }

    boolean hasQuotes() {
        return quote != NO_QUOTE;
    }

    private static void checkMark(String setting, char mark) {
        if (mark != '\t' && (mark < ' ' || mark > '~')) {
            throw new SourceException(String.format(
                    "%s must be one printable ASCII character or a tab, not the character U+%04X",
                    setting, (int) mark));
        }
    }
}
