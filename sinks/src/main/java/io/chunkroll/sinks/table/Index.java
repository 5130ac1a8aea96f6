package io.chunkroll.sinks.table;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An index to make, as its key columns.
 *
 * @param keys the columns in order
 */
public record Index(List<Key> keys) {

    public Index {
        keys = List.copyOf(keys);
    }

    /** A key column and its direction. */
    public record Key(String column, boolean descending) {
        private String sql() {
            return Identifiers.quote(column) + (descending ? " DESC" : "");
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

    String createSql(TableName table) {
        return "CREATE INDEX ON " + table.sql() + keys.stream().map(Key::sql).collect(joining(", ", " (", ")"));
    }
}
