package io.chunkroll.sources.csv;

import io.chunkroll.rows.ParseOptions;
import io.chunkroll.sources.files.BadRowException;
import io.chunkroll.sources.files.SourceException;
import java.io.Serializable;
import java.util.List;

/**
 * What a load from CSV files is told; {@link #of(String)} has the defaults.
 *
 * @param path a file, a folder (its files and those of its subfolders), or a glob whose {@code *}, {@code ?}, {@code [..]} and
 *     {@code {a,b}} match within a folder's or file's name; in any file system that Flink knows. Names that begin with a dot or
 *     an underscore are passed over in folders.
 * @param dialect delimiter, quotes, text for NULL
 * @param header whether files begin with a line of column names
 * @param columns the names of the table's columns in the order of the file's fields, {@link #SKIP} for a field that is not
 *     loaded; they take the place of a header's names. Empty: the header decides, or else the table's own order.
 * @param parse how texts become values where the text alone does not say
 * @param onBadRow what becomes of a row that cannot be loaded
 * @param quotedNewlines whether a field may run over a line end
 */
public record CsvOptions(
        String path,
        CsvDialect dialect,
        Header header,
        List<String> columns,
        ParseOptions parse,
        OnBadRow onBadRow,
        QuotedNewlines quotedNewlines)
        implements Serializable {

    /** In {@link #columns()}, the place of a field that is not loaded. */
    public static final String SKIP = "-";

    /** Whether a file's first line names its columns. */
    public enum Header {
        /** It does if at least one of its fields is a table column's name, upper and lower case taken as equal. */
        AUTO,
        YES,
        NO
    }

    /** What becomes of a row with too few or too many fields, or with a field that is no value of its column's type. */
    public enum OnBadRow {
        /** The job fails with a {@link BadRowException}. */
        FAIL,
        /**
         * The row's account ({@link io.chunkroll.rows.Reject}) flows in the row's place, and good rows carry their
         * {@link io.chunkroll.rows.Origin} for a sink that must refuse them later.
         */
        REJECT
    }

    /** Whether quoted fields hold line ends: a file in which they do cannot be read in pieces. */
    public enum QuotedNewlines {
        /**
         * Looked for in the first 64 MiB of each file that is larger than one split. If one turns up only later, the job fails
         * and says so; no row is ever cut in two silently.
         */
        AUTO,
        /** They may: each file is read by one reader from its start to its end. */
        YES,
        /** They do not: a line end ends the row, and a quote that is still open there makes it a bad row. */
        NO
    }

    /** @throws SourceException if the path is empty */
    public CsvOptions {
        if (path.isBlank()) {
            throw new SourceException("source.path is empty: give a file, a folder or a glob");
        }
        columns = List.copyOf(columns);
    }

    /** Comma-separated with double quotes, header found out, bad rows fail the job. */
    public static CsvOptions of(String path) {
        return new CsvOptions(
                path,
                CsvDialect.DEFAULT,
                Header.AUTO,
                List.of(),
                ParseOptions.DEFAULT,
                OnBadRow.FAIL,
                QuotedNewlines.AUTO);
    }

    public CsvOptions withDialect(CsvDialect other) {
        return new CsvOptions(path, other, header, columns, parse, onBadRow, quotedNewlines);
    }

    public CsvOptions withHeader(Header other) {
        return new CsvOptions(path, dialect, other, columns, parse, onBadRow, quotedNewlines);
    }

    public CsvOptions withColumns(List<String> others) {
        return new CsvOptions(path, dialect, header, others, parse, onBadRow, quotedNewlines);
    }

    public CsvOptions withParse(ParseOptions other) {
        return new CsvOptions(path, dialect, header, columns, other, onBadRow, quotedNewlines);
    }

    public CsvOptions withOnBadRow(OnBadRow other) {
        return new CsvOptions(path, dialect, header, columns, parse, other, quotedNewlines);
    }

    public CsvOptions withQuotedNewlines(QuotedNewlines other) {
        return new CsvOptions(path, dialect, header, columns, parse, onBadRow, other);
    }

    /** Whether a file that is read as a whole may hold fields of several lines. */
    boolean mayQuoteNewlines() {
        return dialect.hasQuotes() && quotedNewlines != QuotedNewlines.NO;
    }
}
