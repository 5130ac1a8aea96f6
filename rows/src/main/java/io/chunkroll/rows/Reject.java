package io.chunkroll.rows;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The account of a row that was refused. One that could not even be read flows as a {@link Tuple} marked as rejected, so that it passes
 * checkpoints with the rows around it.
 *
 * @param origin where the row came from, and the row itself
 * @param column the column whose value was refused, or empty where the row as a whole was
 * @param reason why, in words
 */
public record Reject(Origin origin, String column, String reason) {

    /** This account as a tuple. */
    public Tuple encode() {
        byte[] columnBytes = column.getBytes(StandardCharsets.UTF_8);
        byte[] reasonBytes = reason.getBytes(StandardCharsets.UTF_8);
        byte[] originBytes = origin.encode();
        int length = 2 * Integer.BYTES + columnBytes.length + reasonBytes.length;
        ByteBuffer buffer = ByteBuffer.allocate(length + originBytes.length);
        put(buffer, columnBytes);
        put(buffer, reasonBytes);
        buffer.put(originBytes);
        Tuple tuple = new Tuple(buffer.array());
        tuple.length = length;
        tuple.originLength = originBytes.length;
        tuple.rejected = true;
        return tuple;
    }

    /** Reads a tuple for which {@link Tuple#isRejected()} holds. */
    public static Reject decode(Tuple tuple) {
        ByteBuffer buffer = ByteBuffer.wrap(tuple.bytes, 0, tuple.length);
        String column = text(buffer);
        String reason = text(buffer);
        return new Reject(Origin.decode(tuple.bytes, tuple.length, tuple.length + tuple.originLength), column, reason);
    }

    private static void put(ByteBuffer buffer, byte[] bytes) {
        buffer.putInt(bytes.length).put(bytes);
    }

    private static String text(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.getInt()];
        buffer.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
