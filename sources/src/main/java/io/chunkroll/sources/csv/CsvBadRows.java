package io.chunkroll.sources.csv;

import io.chunkroll.rows.Origin;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sources.csv.CsvOptions.Header;
import io.chunkroll.sources.csv.CsvOptions.QuotedNewlines;
import io.chunkroll.sources.files.BadRowException;
import io.chunkroll.sources.files.BadRows;
import io.chunkroll.sources.files.FileNames;
import io.chunkroll.sources.files.Place;
import io.chunkroll.sources.files.SourceException;
import org.apache.flink.core.fs.Path;

/** The bad rows of a CSV file, some of which are a sign of a wrong setting. */
final class CsvBadRows {
    private static final int SHOWN_BYTES = 1 << 10;

    private final Path file;
    private final CsvOptions options;
    private final long dataStart;
    private final BadRows rows;

    CsvBadRows(Path file, CsvOptions options, long dataStart) {
        this.file = file;
        this.options = options;
        this.dataStart = dataStart;
        rows = new BadRows(file, options.onBadRow() == CsvOptions.OnBadRow.REJECT);
    }

    Tuple refuse(Place place, String column, String reason) {
        return rows.refuse(place, column, reason, headerHint(place));
    }

    boolean areRejected() {
        return rows.areRejected();
    }

    Origin origin(Place place) {
        return rows.origin(place);
    }

    /** A row that ends within quotes. */
    Tuple openQuote(RowScanner.Fault fault, Place place) {
        if (fault == RowScanner.Fault.NEWLINE_IN_QUOTES && options.quotedNewlines() == QuotedNewlines.AUTO) {
            throw new SourceException(FileNames.of(file) + ": the row at byte " + place.offset()
                    + " has a quoted field that runs over its line's"
                    + " end, and none was found in the file's first " + (QuotedNewlineProbe.PROBED_BYTES >> 20)
                    + " MiB, so that the file is read in pieces. If fields hold line ends, give source.csv.quoted-newlines"
                    + " yes; if the quote is merely left open, give source.csv.quoted-newlines no, and this is a bad row."
                    + " The row: " + BadRowException.excerpt(place.copy(SHOWN_BYTES)));
        }
        return refuse(place, "", "unterminated CSV quoted field");
    }

    private String headerHint(Place place) {
        boolean mayBeHeader = options.header() == Header.AUTO && place.offset() == dataStart && place.offset() <= 3;
        return mayBeHeader ? " If this is a line of column names, give source.csv.header yes." : "";
    }
}
