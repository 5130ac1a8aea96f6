package io.chunkroll.rows;

import java.util.Arrays;

/**
 * A row, encoded: the bytes that PostgreSQL's binary COPY wants, and the two things about it that a load must know without
 * decoding it, its time and its partition key.
 *
 * <p>The bytes are one tuple of the format described in PostgreSQL's manual under COPY, "Binary Format": a 16-bit field count,
 * then for each field a 32-bit length (-1 for NULL) and the value. In a load that goes as text (see
 * {@link TableDescription#isBinary()}) the framing is the same and each value is the field's text.
 *
 * <p>Behind the row there may be its {@link Origin}, of which the load itself takes no note.
 *
 * <p>Mutable and reused, for a record object a row would be garbage a row: whoever keeps a tuple copies it. The fields are open to
 * this package, the accessors to all others.
 */
public final class Tuple {
    /** The {@link #time()} of a row whose time is NULL, or of a table without a time column. */
    public static final long NO_TIME = Long.MIN_VALUE;

    /** The {@link #keyOffset()} of a row without a partition key. */
    public static final int NO_KEY = 0;

    private static final byte[] EMPTY = {};

    byte[] bytes;
    int length;
    int originLength;
    long time = NO_TIME;
    int keyOffset = NO_KEY;
    int keyHash;
    boolean rejected;

    public Tuple() {
        this(EMPTY);
    }

    Tuple(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The array that holds the row, from its start; it may be longer than {@link #length()}. */
    public byte[] bytes() {
        return bytes;
    }

    /** The length of the row alone; its origin begins there. */
    public int length() {
        return length;
    }

    /** The length of what {@link Origin#decode} reads behind the row, or 0 if the tuple does not tell where the row came from. */
    public int originLength() {
        return originLength;
    }

    /** The time column in microseconds since 1970-01-01 UTC, or {@link #NO_TIME}; infinities are the ends of the range but one. */
    public long time() {
        return time;
    }

    /** Whether the row has a time and it is not infinite. */
    public boolean hasFiniteTime() {
        return isFinite(time);
    }

    /** Whether a {@link #time()} is one and not infinite. */
    public static boolean isFinite(long time) {
        return time > NO_TIME + 1 && time < Long.MAX_VALUE;
    }

    /** Where the partition key's value begins, or {@link #NO_KEY}. Its length stands in the four bytes before. */
    public int keyOffset() {
        return keyOffset;
    }

    public int keyLength() {
        return keyOffset == NO_KEY ? 0 : BigEndian.getInt(bytes, keyOffset - Integer.BYTES);
    }

    /** A hash of the partition key's bytes, the same in every process; 0 without a key. */
    public int keyHash() {
        return keyHash;
    }

    /** Whether this is no row but the account of one that was refused: {@link Reject#decode(Tuple)} reads it. */
    public boolean isRejected() {
        return rejected;
    }

    /** Makes this tuple equal to the other, keeping its own array where that is large enough. */
    public void copyFrom(Tuple other) {
        int all = other.length + other.originLength;
        if (bytes.length < all) {
            bytes = new byte[all];
        }
        System.arraycopy(other.bytes, 0, bytes, 0, all);
        length = other.length;
        originLength = other.originLength;
        time = other.time;
        keyOffset = other.keyOffset;
        keyHash = other.keyHash;
        rejected = other.rejected;
    }

    /** A tuple of its own, with an array that is just large enough. */
    public Tuple copy() {
        Tuple copy = new Tuple(new byte[length + originLength]);
        copy.copyFrom(this);
        return copy;
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof Tuple other
                && time == other.time
                && keyOffset == other.keyOffset
                && keyHash == other.keyHash
                && rejected == other.rejected
                && length == other.length
                && Arrays.equals(bytes, 0, length + originLength, other.bytes, 0, other.length + other.originLength);
    }

    @Override
    public int hashCode() {
        return 31 * keyHash + Long.hashCode(time);
    }
}
