package io.chunkroll.rows;

/**
 * Parses a field's text as PostgreSQL would and puts its binary form. One for each column and reader: a parser may keep scratch
 * space and is not safe for several threads.
 */
public interface ColumnParser {

    /**
     * Parses {@code text[from..to)}, which is never NULL but may be empty.
     *
     * @throws BadValueException if PostgreSQL would not take the text for a value of the column's type
     */
    void parse(byte[] text, int from, int to, TupleWriter out) throws BadValueException;
}
