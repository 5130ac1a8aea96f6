package io.chunkroll.sources.generated;

import static java.util.stream.Collectors.joining;

import java.util.List;

/**
 * An index that belongs to a data set's table. It is data: whoever makes the table writes the SQL.
 *
 * @param keys in index order, at least one
 */
public record Index(List<Key> keys) {

    /**
     * One key of an index.
     *
     * @param column the column's name, unquoted
     * @param descending whether it is sorted downwards
     */
    public record Key(String column, boolean descending) {
        @Override
        public String toString() {
            return descending ? column + " desc" : column;
        }
    }

    public Index {
        keys = List.copyOf(keys);
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("An index needs at least one key");
        }
    }

    static Index on(Key... keys) {
        return new Index(List.of(keys));
    }

    static Key up(String column) {
        return new Key(column, false);
    }

    static Key down(String column) {
        return new Key(column, true);
    }

    /** {@code (hostname, time desc)}. */
    @Override
    public String toString() {
        return keys.stream().map(Key::toString).collect(joining(", ", "(", ")"));
    }
}
