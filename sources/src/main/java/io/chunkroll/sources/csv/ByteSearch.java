package io.chunkroll.sources.csv;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds a byte in an array, eight at a time. */
final class ByteSearch {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private ByteSearch() {}

    /** The first index in {@code [from, to)} that holds {@code wanted}, or -1. */
    static int first(byte[] bytes, int from, int to, byte wanted) {
        long pattern = (wanted & 0xFF) * LOW_BITS;
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            long zeroWhereEqual = (long) LONG.get(bytes, at) ^ pattern;
            long marks = (zeroWhereEqual - LOW_BITS) & ~zeroWhereEqual & HIGH_BITS;
            if (marks != 0) {
                return at + (Long.numberOfTrailingZeros(marks) >>> 3);
            }
        }
        for (; at < to; at++) {
            if (bytes[at] == wanted) {
                return at;
            }
        }
        return -1;
    }

    /** The last index in {@code [from, to)} that holds {@code wanted}, or -1. */
    static int last(byte[] bytes, int from, int to, byte wanted) {
        for (int at = to - 1; at >= from; at--) {
            if (bytes[at] == wanted) {
                return at;
            }
        }
        return -1;
    }
}
