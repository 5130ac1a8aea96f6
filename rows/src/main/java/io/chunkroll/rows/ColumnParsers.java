package io.chunkroll.rows;

/** Chooses each column's parser by its type. */
final class ColumnParsers {
    private ColumnParsers() {}

    static ColumnParser[] binary(TableDescription table, ParseOptions options) {
        throw new UnsupportedOperationException();
    }

    static ColumnParser[] text(TableDescription table, ParseOptions options) {
        throw new UnsupportedOperationException();
    }
}
