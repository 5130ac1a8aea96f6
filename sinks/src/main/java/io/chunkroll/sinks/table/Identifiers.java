package io.chunkroll.sinks.table;

/** Names as SQL wants them. Every identifier that goes into a statement passes here: none is pasted in as it came. */
public final class Identifiers {
    private Identifiers() {}

    public static String quote(String identifier) {
        if (identifier.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("An identifier cannot hold a NUL character");
        }
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    static String literal(String text) {
        return '\'' + text.replace("'", "''") + '\'';
    }
}
