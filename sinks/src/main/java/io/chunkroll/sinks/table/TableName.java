package io.chunkroll.sinks.table;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;

/**
 * A table's name, exactly as the catalogue has it.
 *
 * @param schema its schema, or empty to leave it to the search path
 * @param name the table's own name
 */
public record TableName(String schema, String name) implements Serializable {

    private static final int LONGEST = 63;

    public TableName {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("A table's name cannot be empty");
        }
    }

    /** Splits a name at its first dot; a table that has a dot in its name is given with its schema. */
    public static TableName parse(String text) {
        int dot = text.indexOf('.');
        return dot < 0 ? new TableName("", text) : new TableName(text.substring(0, dot), text.substring(dot + 1));
    }

    /** The name as a statement needs it, quoted. */
    public String sql() {
        return schema.isEmpty() ? Identifiers.quote(name) : Identifiers.quote(schema) + '.' + Identifiers.quote(name);
    }

    /** A table beside this one, whose name is longer by a suffix and cut to the 63 bytes PostgreSQL keeps. */
    TableName sibling(String suffix) {
        if (bytes(name + suffix) <= LONGEST) {
            return new TableName(schema, name + suffix);
        }
        // Names that are alike up to the cut stay apart by a hash of the whole.
        String end = String.format("_%08x", name.hashCode()) + suffix;
        String stem = name;
        while (bytes(stem + end) > LONGEST) {
            stem = stem.substring(0, stem.length() - 1);
        }
        return new TableName(schema, stem + end);
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public String toString() {
        return schema.isEmpty() ? name : schema + '.' + name;
    }
}
