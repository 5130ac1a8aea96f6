package io.chunkroll.rows;

import java.util.List;

/** Chooses each column's parser by its type. */
final class ColumnParsers {
    private ColumnParsers() {}

    /** For a load whose every column has a binary form. */
    static ColumnParser[] binary(TableDescription table, ParseOptions options) {
        return table.columns().stream().map(column -> of(column, options)).toArray(ColumnParser[]::new);
    }

    /** For a load in which some column has none: all texts as they are, the row's time read on the side. */
    static ColumnParser[] text(TableDescription table, ParseOptions options) {
        List<Column> columns = table.columns();
        ColumnParser[] parsers = new ColumnParser[columns.size()];
        for (int i = 0; i < parsers.length; i++) {
            ColumnType type = columns.get(i).type();
            parsers[i] = type.isTime()
                    ? new TimeAsTextParser(options, type, i == table.timeColumn())
                    : new TextParser(false);
        }
        return parsers;
    }

    private static ColumnParser of(Column column, ParseOptions options) {
        String name = column.sqlType();
        return switch (column.type()) {
            case BOOL -> new BoolParser();
            case INT2, INT4, INT8 -> new IntegerParser(column.type(), name);
            case FLOAT4 -> new FloatParser(true, name);
            case FLOAT8 -> new FloatParser(false, name);
            case NUMERIC -> new NumericParser();
            case TEXT, VARCHAR, CHAR, JSON -> new TextParser(false);
            case JSONB -> new TextParser(true);
            case DATE, TIMESTAMP, TIMESTAMPTZ -> new TimeParser(TimeText.of(options), column.type());
            case UUID -> new UuidParser();
            case OTHER -> throw new IllegalArgumentException("Type " + name + " has no binary form here");
        };
    }
}
