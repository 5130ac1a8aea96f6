package io.chunkroll.rows;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Where a row came from, and how it looked there. A {@link Tuple} may carry it behind its own bytes, so that a sink that must leave the
 * row out can say which one it was.
 *
 * @param file the file it came from, or empty for a row that was in none
 * @param offset where its first byte stands in the (uncompressed) file
 * @param line its line, counted from 1, or 0 where that is not known (a file read in byte ranges)
 * @param row the row's bytes as they came, without the line end
 */
public record Origin(String file, long offset, long line, byte[] row) {

    /** That of a row that was in no file. */
    public static Origin ofNoFile(byte[] row) {
        return new Origin("", 0, 0, row);
    }

    /** Reads what a tuple carries, the bytes from {@code from} up to {@code to}. */
    public static Origin decode(byte[] bytes, int from, int to) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, from, to - from);
        long offset = buffer.getLong();
        long line = buffer.getLong();
        byte[] file = new byte[buffer.getInt()];
        buffer.get(file);
        byte[] row = new byte[buffer.remaining()];
        buffer.get(row);
        return new Origin(new String(file, StandardCharsets.UTF_8), offset, line, row);
    }

    byte[] encode() {
        byte[] name = file.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES + name.length + row.length)
                .putLong(offset)
                .putLong(line)
                .putInt(name.length)
                .put(name)
                .put(row)
                .array();
    }
}
