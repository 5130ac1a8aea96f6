package io.chunkroll.sources.fleet;

/** Decimal digits, written straight into a byte array. */
final class Decimals {
    private static final byte[] PAIRS = new byte[200];

    static {
        for (int i = 0; i < 100; i++) {
            PAIRS[2 * i] = (byte) ('0' + i / 10);
            PAIRS[2 * i + 1] = (byte) ('0' + i % 10);
        }
    }

    private Decimals() {}

    /** How many digits a number has that is not negative. */
    static int digits(int number) {
        int digits = 1;
        for (long bound = 10; number >= bound; bound *= 10) {
            digits++;
        }
        return digits;
    }

    /** Writes a number that is not negative so that it ends before {@code end}, and returns where it begins. */
    static int put(byte[] bytes, int end, int number) {
        int at = end;
        int rest = number;
        while (rest >= 10) {
            at -= 2;
            putPair(bytes, at, rest % 100);
            rest /= 100;
        }
        if (rest > 0 || at == end) {
            bytes[--at] = (byte) ('0' + rest);
        }
        return at;
    }

    /** Writes any number from {@code at} on and returns where it ends. */
    static int putSigned(byte[] bytes, int at, int number) {
        int begin = at;
        int rest = number;
        if (number < 0) {
            bytes[begin++] = '-';
            if (number == Integer.MIN_VALUE) {
                // Has no positive counterpart: its last digit apart.
                begin = putSigned(bytes, begin, -(number / 10));
                bytes[begin] = (byte) ('0' - number % 10);
                return begin + 1;
            }
            rest = -number;
        }
        int end = begin + digits(rest);
        put(bytes, end, rest);
        return end;
    }

    /** Writes exactly so many digits, with zeros in front, from {@code at} on. */
    static void putPadded(byte[] bytes, int at, int digits, int number) {
        int end = at + digits;
        int rest = number;
        while (end - at >= 2) {
            end -= 2;
            putPair(bytes, end, rest % 100);
            rest /= 100;
        }
        if (end > at) {
            bytes[at] = (byte) ('0' + rest % 10);
        }
    }

    private static void putPair(byte[] bytes, int at, int number) {
        bytes[at] = PAIRS[2 * number];
        bytes[at + 1] = PAIRS[2 * number + 1];
    }
}
