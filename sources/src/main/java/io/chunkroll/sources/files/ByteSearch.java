package io.chunkroll.sources.files;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds a byte in an array, eight at a time. */
public final class ByteSearch {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private ByteSearch() {}

    /** Eight times the same byte. */
    public static long repeat(byte value) {
        return (value & 0xFF) * LOW_BITS;
    }

    /** Eight bytes, the first one lowest; past the array's end they are 0. */
    public static long word(byte[] bytes, int at) {
        return at + Long.BYTES <= bytes.length ? (long) LONG.get(bytes, at) : lastWord(bytes, at);
    }

    private static long lastWord(byte[] bytes, int at) {
        long word = 0;
        for (int i = bytes.length - 1; i >= at; i--) {
            word = word << 8 | (bytes[i] & 0xFF);
        }
        return word;
    }

    /** The highest bit of each byte of {@code word} that equals the one in {@code pattern}, and no other bit. */
    static long equal(long word, long pattern) {
        return ~unequal(word, pattern) & HIGH_BITS;
    }

    /** The highest bit of each byte that equals the one in any of the patterns, and no other bit. */
    public static long equalAny(long word, long first, long second, long third) {
        return ~(unequal(word, first) & unequal(word, second) & unequal(word, third)) & HIGH_BITS;
    }

    /** The highest bit of each byte that differs; the other bits mean nothing. */
    private static long unequal(long word, long pattern) {
        long zeroWhereEqual = word ^ pattern;
        return ((zeroWhereEqual & ~HIGH_BITS) + ~HIGH_BITS) | zeroWhereEqual;
    }

    /** The first index in {@code [from, to)} that holds {@code wanted}, or -1. */
    public static int first(byte[] bytes, int from, int to, byte wanted) {
        long pattern = repeat(wanted);
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            long marks = equal((long) LONG.get(bytes, at), pattern);
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
    public static int last(byte[] bytes, int from, int to, byte wanted) {
        for (int at = to - 1; at >= from; at--) {
            if (bytes[at] == wanted) {
                return at;
            }
        }
        return -1;
    }
}
