package io.chunkroll.sinks.copy;

import io.chunkroll.rows.BigEndian;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import org.postgresql.copy.CopyIn;

/** Writes batches in one of COPY's formats, gathered into messages of a size that the socket likes. */
abstract class CopyFormat {
    private static final int MESSAGE = 1 << 16;

    private byte[] message = new byte[2 * MESSAGE];
    private int length;

    /** The format's part of the COPY statement. */
    abstract String option();

    /** What stands before the first row. */
    abstract byte[] header();

    /** What stands behind the last row. */
    abstract byte[] trailer();

    /** Appends one row, given as a tuple. */
    abstract void row(byte[] bytes, int from, int to);

    /** Sends the batch's rows {@code order[from]} to {@code order[to - 1]}; the COPY stays open. */
    final void write(Batch batch, int[] order, int from, int to, CopyIn copy) throws SQLException {
        length = 0;
        append(header(), 0, header().length);
        for (int i = from; i < to; i++) {
            row(batch.bytes(), batch.start(order[i]), batch.end(order[i]));
            if (length >= MESSAGE) {
                send(copy);
            }
        }
        append(trailer(), 0, trailer().length);
        send(copy);
        if (message.length > 16 * MESSAGE) {
            message = new byte[2 * MESSAGE];
        }
    }

    private void send(CopyIn copy) throws SQLException {
        copy.writeToCopy(message, 0, length);
        length = 0;
    }

    final void append(byte[] bytes, int from, int to) {
        reserve(to - from);
        System.arraycopy(bytes, from, message, length, to - from);
        length += to - from;
    }

    final void append(byte b) {
        reserve(1);
        message[length++] = b;
    }

    private void reserve(int more) {
        if (message.length - length < more) {
            message = Arrays.copyOf(message, Math.max(2 * message.length, length + more));
        }
    }

    /** The format of tuples themselves; see "Binary Format" on the manual's page for COPY. */
    static final class Binary extends CopyFormat {
        private static final byte[] HEADER = {
            'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xff, '\r', '\n', 0, 0, 0, 0, 0, 0, 0, 0, 0
        };
        private static final byte[] TRAILER = {(byte) 0xff, (byte) 0xff};

        @Override
        String option() {
            return "FORMAT binary";
        }

        @Override
        byte[] header() {
            return HEADER;
        }

        @Override
        byte[] trailer() {
            return TRAILER;
        }

        @Override
        void row(byte[] bytes, int from, int to) {
            append(bytes, from, to);
        }
    }

    /** Lines of fields apart by tabs; see "Text Format" on the manual's page for COPY. */
    static final class Text extends CopyFormat {
        private static final byte[] NONE = {};
        private static final byte[] NULL = "\\N".getBytes(StandardCharsets.US_ASCII);

        @Override
        String option() {
            return "FORMAT text";
        }

        @Override
        byte[] header() {
            return NONE;
        }

        @Override
        byte[] trailer() {
            return NONE;
        }

        @Override
        void row(byte[] bytes, int from, int to) {
            int at = from + Short.BYTES;
            while (at < to) {
                int length = BigEndian.getInt(bytes, at);
                at += Integer.BYTES;
                if (length < 0) {
                    append(NULL, 0, NULL.length);
                } else {
                    escape(bytes, at, at + length);
                    at += length;
                }
                append((byte) (at < to ? '\t' : '\n'));
            }
        }

        private void escape(byte[] bytes, int from, int to) {
            int plain = from;
            for (int at = from; at < to; at++) {
                byte letter =
                        switch (bytes[at]) {
                            case '\\' -> '\\';
                            case '\t' -> 't';
                            case '\n' -> 'n';
                            case '\r' -> 'r';
                            default -> 0;
                        };
                if (letter != 0) {
                    append(bytes, plain, at);
                    append((byte) '\\');
                    append(letter);
                    plain = at + 1;
                }
            }
            append(bytes, plain, to);
        }
    }
}
