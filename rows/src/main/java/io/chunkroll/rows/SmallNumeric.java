package io.chunkroll.rows;

/**
 * The binary form of a {@code numeric} that a long can hold: groups of four decimal digits, aligned at the decimal point, with the weight
 * of the first group, as {@code numeric_send} in PostgreSQL's {@code numeric.c} writes them.
 */
final class SmallNumeric {
    private static final int GROUP = 4;
    private static final int BASE = 10_000;
    private static final int HEADER = 4 * Short.BYTES;
    private static final int NEGATIVE = 0x4000;
    private static final int[] TENS = {1, 10, 100, 1_000};

    private SmallNumeric() {}

    /** How many bytes {@link #put} writes. */
    static int bytes(long units, int scale) {
        return HEADER + groups(strip(aligned(units, scale))) * Short.BYTES;
    }

    static void put(byte[] bytes, int at, long units, int scale) {
        long aligned = aligned(units, scale);
        long rest = strip(aligned);
        int groups = groups(rest);
        int weight = groups(aligned) - 1 - (scale + GROUP - 1) / GROUP;
        BigEndian.putShort(bytes, at, groups);
        BigEndian.putShort(bytes, at + 2, groups == 0 ? 0 : weight);
        BigEndian.putShort(bytes, at + 4, units < 0 ? NEGATIVE : 0);
        BigEndian.putShort(bytes, at + 6, scale);
        for (int i = groups - 1; i >= 0; i--) {
            BigEndian.putShort(bytes, at + HEADER + i * Short.BYTES, (int) (rest % BASE));
            rest /= BASE;
        }
    }

    /** The magnitude in units of the last decimal of the last group. */
    private static long aligned(long units, int scale) {
        int missing = (GROUP - scale % GROUP) % GROUP;
        return Math.multiplyExact(Math.absExact(units), TENS[missing]);
    }

    /** Without groups of zeros at the end. */
    private static long strip(long aligned) {
        long rest = aligned;
        while (rest != 0 && rest % BASE == 0) {
            rest /= BASE;
        }
        return rest;
    }

    private static int groups(long aligned) {
        int groups = 0;
        for (long rest = aligned; rest != 0; rest /= BASE) {
            groups++;
        }
        return groups;
    }
}
