package io.chunkroll.rows;

import static java.util.stream.Collectors.joining;

import java.io.Serializable;
import java.util.List;
import java.util.Locale;

/**
 * The columns that a load writes, in the order in which a {@link Tuple} holds them.
 *
 * @param columns in tuple order; a table's other columns get their defaults
 * @param timeColumn index of the column that rows are ordered by within a partition key, or {@link #NONE}
 * @param keyColumn index of the column that rows are partitioned by (the tag: host, device), or {@link #NONE}
 */
public record TableDescription(List<Column> columns, int timeColumn, int keyColumn) implements Serializable {
    /** The index of a column that is not there. */
    public static final int NONE = -1;

    public TableDescription {
        columns = List.copyOf(columns);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("A table description needs at least one column");
        }
        checkIndex("time", timeColumn, columns.size());
        checkIndex("key", keyColumn, columns.size());
    }

    private static void checkIndex(String what, int index, int size) {
        if (index < NONE || index >= size) {
            throw new IllegalArgumentException("The " + what + " column's index " + index + " is not among " + size);
        }
    }

    /**
     * Whether every column has a binary encoder. If not, the whole load goes as text: a tuple then holds each field's text,
     * and the writer makes lines of COPY's text format of it.
     */
    public boolean isBinary() {
        return columns.stream().noneMatch(column -> column.type() == ColumnType.OTHER);
    }

    /** The index of the column with this name, upper and lower case taken as equal if no exact match exists, or {@link #NONE}. */
    public int indexOf(String name) {
        int folded = NONE;
        for (int i = 0; i < columns.size(); i++) {
            String candidate = columns.get(i).name();
            if (candidate.equals(name)) {
                return i;
            }
            if (candidate.toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
                folded = i;
            }
        }
        return folded;
    }

    /** The same table narrowed to, and ordered by, the columns at these indexes. */
    public TableDescription select(List<Integer> indexes) {
        return new TableDescription(
                indexes.stream().map(columns::get).toList(), indexes.indexOf(timeColumn), indexes.indexOf(keyColumn));
    }

    /** The same columns with other roles. */
    public TableDescription withRoles(int time, int key) {
        return new TableDescription(columns, time, key);
    }

    /** {@code time timestamp with time zone, hostname text, …}, for messages. */
    @Override
    public String toString() {
        return columns.stream()
                .map(column -> column.name() + ' ' + column.sqlType())
                .collect(joining(", "));
    }
}
