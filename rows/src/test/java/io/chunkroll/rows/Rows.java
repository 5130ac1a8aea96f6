package io.chunkroll.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/** Descriptions and tuples that the tests of this package are about. */
final class Rows {
    private Rows() {}

    static Column column(String name, ColumnType type) {
        return new Column(name, type, type.name().toLowerCase(java.util.Locale.ROOT), false);
    }

    /** Columns of these types, called a, b, …, without a time or a key. */
    static TableDescription table(ColumnType... types) {
        List<Column> columns = new ArrayList<>();
        for (ColumnType type : types) {
            columns.add(column(String.valueOf((char) ('a' + columns.size())), type));
        }
        return new TableDescription(columns, TableDescription.NONE, TableDescription.NONE);
    }

    /** Encodes a row of texts; null is NULL. */
    static Tuple encode(RowEncoder encoder, String... texts) throws BadValueException {
        encoder.begin();
        for (String text : texts) {
            if (text == null) {
                encoder.nullField();
            } else {
                byte[] bytes = text.getBytes(UTF_8);
                encoder.field(bytes, 0, bytes.length);
            }
        }
        return encoder.end();
    }

    /** The tuple's fields as they stand between the lengths. */
    static List<byte[]> fields(Tuple tuple) {
        List<byte[]> fields = new ArrayList<>();
        int at = Short.BYTES;
        while (at < tuple.length()) {
            int length = BigEndian.getInt(tuple.bytes(), at);
            at += Integer.BYTES;
            fields.add(length < 0 ? null : java.util.Arrays.copyOfRange(tuple.bytes(), at, at + length));
            at += Math.max(length, 0);
        }
        return fields;
    }
}
