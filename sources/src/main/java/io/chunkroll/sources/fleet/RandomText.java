package io.chunkroll.sources.fleet;

import java.nio.charset.StandardCharsets;

/** Random texts of letters, digits, hyphens and underscores, six bits each, written straight into a byte array. */
final class RandomText {
    private static final byte[] ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".getBytes(StandardCharsets.US_ASCII);

    private static final int BITS = 6;
    private static final int CHARACTERS_PER_WORD = Long.SIZE / BITS;

    private RandomText() {}

    /** Fills {@code text[0..length)} and returns the number of the first word of the stream that it has not used. */
    static long fill(byte[] text, int length, long key, long word) {
        long next = word;
        for (int at = 0; at < length; ) {
            long bits = Randomness.word(key, next++);
            for (int end = Math.min(length, at + CHARACTERS_PER_WORD); at < end; at++) {
                text[at] = ALPHABET[(int) bits & (ALPHABET.length - 1)];
                bits >>>= BITS;
            }
        }
        return next;
    }
}
