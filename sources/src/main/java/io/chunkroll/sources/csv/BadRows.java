package io.chunkroll.sources.csv;

import io.chunkroll.rows.Origin;
import io.chunkroll.rows.Reject;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sources.csv.CsvOptions.Header;
import io.chunkroll.sources.csv.CsvOptions.OnBadRow;
import io.chunkroll.sources.csv.CsvOptions.QuotedNewlines;
import io.chunkroll.sources.csv.RowParser.Place;
import org.apache.flink.core.fs.Path;

/** What becomes of a file's bad rows, and what its good ones carry in case that the server takes them for bad. */
final class BadRows {
    /** A quote left open takes in the rest of a file: that much of a row is kept. */
    private static final int KEPT_BYTES = 1 << 20;

    private final String file;
    private final CsvOptions options;
    private final long dataStart;

    BadRows(Path file, CsvOptions options, long dataStart) {
        this.file = FileNames.of(file);
        this.options = options;
        this.dataStart = dataStart;
    }

    /**
     * The row's account as a tuple.
     *
     * @throws BadRowException if bad rows fail the job
     */
    Tuple refuse(Place place, String column, String reason) {
        boolean cut = place.to() - place.from() > KEPT_BYTES;
        String told = cut ? reason + " (of the row, the first " + KEPT_BYTES + " bytes are kept)" : reason;
        Reject reject = new Reject(origin(place, KEPT_BYTES), column, told);
        if (!areRejected()) {
            throw new BadRowException(reject, headerHint(place));
        }
        return reject.encode();
    }

    /** Whether bad rows are set aside, so that every row must tell where it came from. */
    boolean areRejected() {
        return options.onBadRow() == OnBadRow.REJECT;
    }

    /** Where a good row came from. */
    Origin origin(Place place) {
        return origin(place, Integer.MAX_VALUE);
    }

    private Origin origin(Place place, int most) {
        return new Origin(file, place.offset(), place.line(), place.copy(most));
    }

    /** A row that ends within quotes. */
    Tuple openQuote(RowScanner.Fault fault, Place place) {
        if (fault == RowScanner.Fault.NEWLINE_IN_QUOTES && options.quotedNewlines() == QuotedNewlines.AUTO) {
            throw new CsvException(
                    file + ": the row at byte " + place.offset() + " has a quoted field that runs over its line's"
                            + " end, and none was found in the file's first " + (QuotedNewlineProbe.PROBED_BYTES >> 20)
                            + " MiB, so that the file is read in pieces. If fields hold line ends, give source.csv.quoted-newlines"
                            + " yes; if the quote is merely left open, give source.csv.quoted-newlines no, and this is a bad row."
                            + " The row: " + BadRowException.excerpt(place.copy(KEPT_BYTES)));
        }
        return refuse(place, "", "unterminated CSV quoted field");
    }

    private String headerHint(Place place) {
        boolean mayBeHeader = options.header() == Header.AUTO && place.offset() == dataStart && place.offset() <= 3;
        return mayBeHeader ? " If this is a line of column names, give source.csv.header yes." : "";
    }
}
