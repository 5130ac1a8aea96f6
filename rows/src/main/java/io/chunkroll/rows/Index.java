package io.chunkroll.rows;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An index of a table, as its key columns. It is data: whoever makes the table writes the SQL.
 *
 * @param keys the columns in order
 * @param unique whether no two rows may agree in all of them
 */
public record Index(List<Key> keys, boolean unique) {
    private static final Pattern UNIQUE =
            Pattern.compile("(?i)unique\\s+(?!(?:asc|desc)\\s*(?:,|$))(.*)", Pattern.DOTALL);

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
     * Reads {@code hostname, time desc}, or {@code unique hostname, time desc}.
     *
     * @throws IllegalArgumentException if a column's name is missing
     */
    public static Index parse(String text) {
        Matcher unique = UNIQUE.matcher(text.strip());
        boolean isUnique = unique.matches();
        List<Key> keys = new ArrayList<>();
        for (String part : (isUnique ? unique.group(1) : text).split(",", -1)) {
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
        return new Index(keys, isUnique);
    }

    /** {@code hostname, time desc}, as {@link #parse} reads it. */
    @Override
    public String toString() {
        return keys.stream().map(Key::toString).collect(joining(", ", unique ? "unique " : "", ""));
    }
}
