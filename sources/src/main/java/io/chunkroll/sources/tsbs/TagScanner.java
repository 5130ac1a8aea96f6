package io.chunkroll.sources.tsbs;

import io.chunkroll.rows.BadValueException;
import io.chunkroll.rows.Column;
import io.chunkroll.rows.RowEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the tags of a line {@code tags,hostname=host_0,region=…}. They usually stand in the header's order, and are found in any; what
 * the header does not name goes into one JSON object.
 */
final class TagScanner {
    private static final int FIRST = "tags,".length();

    private final byte[][] names;
    private final int[] from;
    private final int[] to;
    private final JsonObject additional = new JsonObject();

    TagScanner(List<Column> tags) {
        names = tags.stream()
                .map(tag -> tag.name().getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        from = new int[names.length];
        to = new int[names.length];
    }

    /** Finds the tags; false if one is not written as NAME=VALUE. */
    boolean scan(byte[] bytes, int lineFrom, int lineTo) {
        Arrays.fill(from, 0);
        Arrays.fill(to, 0);
        additional.clear();
        int expected = 0;
        for (int at = lineFrom + FIRST; at <= lineTo; ) {
            int end = find(bytes, at, lineTo, ',');
            int equals = find(bytes, at, end, '=');
            if (equals == end) {
                return false;
            }
            int tag = indexOf(bytes, at, equals, expected);
            if (tag < 0) {
                additional.put(bytes, at, equals, end);
            } else {
                from[tag] = equals + 1;
                to[tag] = end;
                expected = tag + 1;
            }
            at = end + 1;
        }
        return true;
    }

    private static int find(byte[] bytes, int from, int to, char wanted) {
        int at = from;
        while (at < to && bytes[at] != wanted) {
            at++;
        }
        return at;
    }

    /** @param expected the tag that is tried first */
    private int indexOf(byte[] bytes, int nameFrom, int nameTo, int expected) {
        for (int i = 0; i < names.length; i++) {
            int tag = (expected + i) % names.length;
            if (Arrays.equals(bytes, nameFrom, nameTo, names[tag], 0, names[tag].length)) {
                return tag;
            }
        }
        return -1;
    }

    /** Puts the tags in the header's order, then those that it does not name; what is empty or missing is NULL. */
    void put(byte[] bytes, RowEncoder encoder) throws BadValueException {
        for (int i = 0; i < names.length; i++) {
            if (from[i] == to[i]) {
                encoder.nullField();
            } else {
                encoder.field(bytes, from[i], to[i]);
            }
        }
        additional.put(encoder);
    }
}
