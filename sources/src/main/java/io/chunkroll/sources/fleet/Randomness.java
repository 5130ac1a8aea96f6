package io.chunkroll.sources.fleet;

/**
 * Random words by position instead of by sequence: word n of a stream needs nothing but the stream's key and n.
 *
 * <p>It is SplitMix64 (Steele, Lea, Flood 2014) entered at any place. Written out here because a Java version may change its
 * generators, and the same seed is to mean the same rows on every machine.
 */
final class Randomness {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;
    /** Devices are spread by another odd constant than the words of one device. */
    private static final long DEVICE_GAMMA = 0xD1342543DE82EF95L;

    private static final int SHARE_BITS = 53;

    private Randomness() {}

    /** The key of a device's stream. */
    static long key(long seed, long device) {
        return mix(mix(seed + GAMMA) + device * DEVICE_GAMMA);
    }

    static long word(long key, long n) {
        return mix(key + n * GAMMA);
    }

    /** A number from 0 to {@code bound - 1} by a random word's upper bits. */
    static int below(int bound, long word) {
        return (int) Math.multiplyHigh(word >>> 1, 2L * bound);
    }

    /** Likewise; the bound is below 2^62. */
    static long below(long bound, long word) {
        return Math.multiplyHigh(word >>> 1, 2 * bound);
    }

    /** What {@link #isBelow} takes, so that it is true of this share of all words; 0 for none. */
    static long bound(double share) {
        return (long) (share * (1L << SHARE_BITS));
    }

    static boolean isBelow(long bound, long word) {
        return word >>> (Long.SIZE - SHARE_BITS) < bound;
    }

    /** Stafford's variant 13 of MurmurHash3's finalizer. */
    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
