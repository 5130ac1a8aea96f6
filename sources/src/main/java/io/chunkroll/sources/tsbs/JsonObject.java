package io.chunkroll.sources.tsbs;

import io.chunkroll.rows.BadValueException;
import io.chunkroll.rows.RowEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A JSON object of texts, in UTF-8; it is written anew for each row. */
final class JsonObject {
    private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST_ESCAPE = 6;

    private byte[] json = new byte[256];
    private int length;

    void clear() {
        length = 0;
    }

    /** Adds what is written as NAME=VALUE; an empty value is null. */
    void put(byte[] bytes, int nameFrom, int equals, int valueTo) {
        reserve((valueTo - nameFrom) * LONGEST_ESCAPE + 16);
        json[length] = (byte) (length == 0 ? '{' : ',');
        length++;
        text(bytes, nameFrom, equals);
        json[length++] = ':';
        if (equals + 1 == valueTo) {
            System.arraycopy(NULL, 0, json, length, NULL.length);
            length += NULL.length;
        } else {
            text(bytes, equals + 1, valueTo);
        }
    }

    private void text(byte[] bytes, int from, int to) {
        json[length++] = '"';
        for (int at = from; at < to; at++) {
            byte b = bytes[at];
            if (b == '"' || b == '\\') {
                json[length++] = '\\';
                json[length++] = b;
            } else if (b >= 0 && b < ' ') {
                json[length++] = '\\';
                json[length++] = 'u';
                json[length++] = '0';
                json[length++] = '0';
                json[length++] = HEX[b >> 4];
                json[length++] = HEX[b & 15];
            } else {
                json[length++] = b;
            }
        }
        json[length++] = '"';
    }

    private void reserve(int more) {
        if (json.length - length < more) {
            json = Arrays.copyOf(json, Math.max(length + more, 2 * json.length));
        }
    }

    /** Puts the object, or NULL if it has nothing. */
    void put(RowEncoder encoder) throws BadValueException {
        if (length == 0) {
            encoder.nullField();
        } else {
            json[length] = '}';
            encoder.field(json, 0, length + 1);
        }
    }
}
