package io.chunkroll.rows;

import java.util.List;

/**
 * Makes a tuple of a row that is given as text, field by field in the table's order: {@link #begin()}, one {@link #field} or
 * {@link #nullField()} for each column, {@link #end()}.
 *
 * <p>The types are taken from the table, not guessed from the text. Not safe for several threads.
 */
public final class RowEncoder {
    private final List<Column> columns;
    private final ColumnParser[] parsers;
    private final TupleWriter writer;
    private int next;

    public RowEncoder(TableDescription table, ParseOptions options) {
        columns = table.columns();
        writer = new TupleWriter(table);
        parsers = table.isBinary() ? ColumnParsers.binary(table, options) : ColumnParsers.text(table, options);
    }

    public void begin() {
        writer.begin();
        next = 0;
    }

    /**
     * Parses the next column's text.
     *
     * @throws BadValueException if it is no value of the column's type; the row is then to be given up
     */
    public void field(byte[] text, int from, int to) throws BadValueException {
        parsers[next].parse(text, from, to, writer);
        next++;
    }

    public void nullField() {
        writer.putNull();
        next++;
    }

    /** The column whose text is parsed next, or was refused. */
    public Column column() {
        return columns.get(Math.min(next, columns.size() - 1));
    }

    /** Ends the row; the tuple is good until the next {@link #begin()}. */
    public Tuple end() {
        return writer.end();
    }

    /** As {@link #end()}; the tuple also tells where the row came from. */
    public Tuple end(Origin origin) {
        return writer.end(origin);
    }
}
