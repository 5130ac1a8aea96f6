package io.chunkroll.rows;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.types.RowUtils;

/**
 * Makes Flink's rows of tuples, and tuples of rows. The fields of a row stand in the table's order and have its columns' names:
 *
 * <pre>
 *  boolean                      Boolean         date          LocalDate
 *  smallint, integer, bigint    Short … Long    timestamp     LocalDateTime
 *  real, double precision       Float, Double   timestamptz   Instant
 *  numeric                      BigDecimal      uuid          UUID
 *  text, varchar, char, json(b) String          NULL          null
 * </pre>
 *
 * Numbers that are none, infinite ones too, are a Double in a numeric column; infinite times are the ends of their Java type's range. If
 * the table goes as text (see {@link TableDescription#isBinary()}), every field is its text. Not safe for several threads.
 */
public final class RowCodec {
    private final List<Column> columns;
    private final ColumnType[] types;
    private final ValueEncoder[] encoders;
    private final LinkedHashMap<String, Integer> positions = new LinkedHashMap<>();
    private final TupleWriter writer;

    public RowCodec(TableDescription table) {
        columns = table.columns();
        writer = new TupleWriter(table);
        types = new ColumnType[columns.size()];
        encoders = new ValueEncoder[types.length];
        ColumnParser[] texts = table.isBinary()
                ? ColumnParsers.binary(table, ParseOptions.DEFAULT)
                : ColumnParsers.text(table, ParseOptions.DEFAULT);
        for (int i = 0; i < types.length; i++) {
            Column column = columns.get(i);
            types[i] = table.isBinary() ? column.type() : ColumnType.OTHER;
            encoders[i] = new ValueEncoder(column.sqlType(), types[i], texts[i]);
            positions.put(column.name(), i);
        }
    }

    /** The tuple as a row of its own. */
    public Row decode(Tuple tuple) {
        Object[] values = new Object[types.length];
        byte[] bytes = tuple.bytes();
        int at = Short.BYTES;
        for (int i = 0; i < values.length; i++) {
            int length = BigEndian.getInt(bytes, at);
            at += Integer.BYTES;
            if (length >= 0) {
                values[i] = FieldValues.of(types[i], bytes, at, length);
                at += length;
            }
        }
        return RowUtils.createRowWithNamedPositions(RowKind.INSERT, values, positions);
    }

    /**
     * The row as a tuple, which is good until the next call.
     *
     * @param row has a field for each column, by name, or without names in the table's order
     * @param from the tuple that it was made of, whose origin it keeps
     * @throws BadValueException if the row does not fit the table
     */
    public Tuple encode(Row row, Tuple from) throws BadValueException {
        if (row.getKind() != RowKind.INSERT) {
            throw new BadValueException("the row's kind is " + row.getKind() + ", and only INSERT can be loaded");
        }
        Set<String> names = row.getFieldNames(true);
        checkFields(row, names);
        writer.begin();
        for (int i = 0; i < encoders.length; i++) {
            String name = columns.get(i).name();
            try {
                encoders[i].put(names == null ? row.getField(i) : row.getField(name), writer);
            } catch (BadValueException e) {
                throw new BadValueException("column \"" + name + "\": " + e.getMessage());
            }
        }
        int length = from.length();
        return from.originLength() == 0
                ? writer.end()
                : writer.end(Origin.decode(from.bytes(), length, length + from.originLength()));
    }

    private void checkFields(Row row, Set<String> names) throws BadValueException {
        if (names == null) {
            if (row.getArity() != encoders.length) {
                throw new BadValueException("the row has " + row.getArity() + " fields, and the table's rows have "
                        + encoders.length + ": " + positions.keySet());
            }
            return;
        }
        for (String name : names) {
            if (!positions.containsKey(name)) {
                throw new BadValueException("the row has a field \"" + name
                        + "\", which is none of the table's columns: " + positions.keySet());
            }
        }
        for (String name : positions.keySet()) {
            if (!names.contains(name)) {
                throw new BadValueException(
                        "the row lacks the column \"" + name + "\"; set it to null if it shall be NULL");
            }
        }
    }
}
