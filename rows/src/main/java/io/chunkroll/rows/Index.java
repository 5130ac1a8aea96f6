package io.chunkroll.rows;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An index of a table, as its key columns. It is data: whoever makes the table writes the SQL.
 *
 * @param keys the columns in order
 */
public record Index(List<Key> keys) {

    public Index {
        keys = List.copyOf(keys);
    }

    /** A key column and its direction. */
    public record Key(String column, boolean descending) {
        @Override
        public String toString() {
            return descending ? column + " desc" : column;
        }
    }

    /**
     * Reads {@code hostname, time desc}.
     *
     * @throws IllegalArgumentException if a column's name is missing
     */
    public static Index parse(String text) {
        List<Key> keys = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String column = part.strip();
            String lower = column.toLowerCase(Locale.ROOT);
            boolean descending = lower.endsWith(" desc");
            if (descending || lower.endsWith(" asc")) {
                column = column.substring(0, column.lastIndexOf(' ')).strip();
            }
            if (column.isEmpty()) {
                throw new IllegalArgumentException("no column between the commas of \"" + text + '"');
            }
            keys.add(new Key(column, descending));
        }
        return new Index(keys);
    }

    /** {@code hostname, time desc}, as {@link #parse} reads it. */
    @Override
    public String toString() {
        return keys.stream().map(Key::toString).collect(joining(", "));
    }
}
