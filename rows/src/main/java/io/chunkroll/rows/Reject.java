package io.chunkroll.rows;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The account of a row that was refused. It flows as a {@link Tuple} marked as rejected, so that it passes checkpoints with the
 * rows around it.
 *
 * @param file the file it came from
 * @param offset where its first byte stands in the (uncompressed) file
 * @param line its line, counted from 1, or 0 where that is not known (a file read in byte ranges)
 * @param column the column whose value was refused, or empty where the row as a whole was
 * @param reason why, in words
 * @param row the row's bytes as they came, without the line end
 */
public record Reject(String file, long offset, long line, String column, String reason, byte[] row) {

    /** This account as a tuple. */
    public Tuple encode() {
        byte[] fileBytes = file.getBytes(StandardCharsets.UTF_8);
        byte[] columnBytes = column.getBytes(StandardCharsets.UTF_8);
        byte[] reasonBytes = reason.getBytes(StandardCharsets.UTF_8);
        int length = 2 * Long.BYTES
                + 4 * Integer.BYTES
                + fileBytes.length
                + columnBytes.length
                + reasonBytes.length
                + row.length;
        ByteBuffer buffer = ByteBuffer.allocate(length).putLong(offset).putLong(line);
        put(buffer, fileBytes);
        put(buffer, columnBytes);
        put(buffer, reasonBytes);
        put(buffer, row);
        Tuple tuple = new Tuple(buffer.array());
        tuple.length = length;
        tuple.rejected = true;
        return tuple;
    }

    /** Reads a tuple for which {@link Tuple#isRejected()} holds. */
    public static Reject decode(Tuple tuple) {
        ByteBuffer buffer = ByteBuffer.wrap(tuple.bytes, 0, tuple.length);
        long offset = buffer.getLong();
        long line = buffer.getLong();
        return new Reject(text(buffer), offset, line, text(buffer), text(buffer), get(buffer));
    }

    private static void put(ByteBuffer buffer, byte[] bytes) {
        buffer.putInt(bytes.length).put(bytes);
    }

    private static byte[] get(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.getInt()];
        buffer.get(bytes);
        return bytes;
    }

    private static String text(ByteBuffer buffer) {
        return new String(get(buffer), StandardCharsets.UTF_8);
    }
}
