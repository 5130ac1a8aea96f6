package io.chunkroll.sources.fleet;

/**
 * Standard normal numbers from random words by the ziggurat (Marsaglia and Tsang 2000, as corrected by Doornik 2005) with 256 layers.
 *
 * <p>A word has 53 bits for the place in a layer and 8 others for the layer, and in 98.8 of 100 cases that is all: one comparison and
 * one multiplication. The rest draws further words that follow from the first. The tables are computed by {@link StrictMath}, so that
 * they are the same everywhere.
 */
final class Normal {
    private static final int LAYERS = 256;
    /** Where the tail begins, and the area of each layer. */
    private static final double TAIL = 3.654152885361009;

    private static final double AREA = 0.004928673233974655;

    private static final double PLACES = 1L << 52;
    private static final int PLACE_SHIFT = 11;
    private static final double UNIT = 0x1.0p-53;

    /** The right edge of each layer, falling; the base layer's stands for its rectangle and the tail together. */
    private static final double[] EDGE = new double[LAYERS + 1];
    /** A layer's edge for one place. */
    private static final double[] SCALE = new double[LAYERS];
    /** Places below this one lie under the curve for certain. */
    private static final long[] CORE = new long[LAYERS];

    static {
        double height = density(TAIL);
        EDGE[0] = AREA / height;
        EDGE[1] = TAIL;
        for (int i = 2; i < LAYERS; i++) {
            EDGE[i] = StrictMath.sqrt(-2 * StrictMath.log(AREA / EDGE[i - 1] + height));
            height = density(EDGE[i]);
        }
        for (int i = 0; i < LAYERS; i++) {
            SCALE[i] = EDGE[i] / PLACES;
            CORE[i] = (long) (EDGE[i + 1] / EDGE[i] * PLACES);
        }
    }

    private Normal() {}

    /** The normal number that belongs to a random word. */
    static double of(long word) {
        int layer = (int) word & (LAYERS - 1);
        long place = word >> PLACE_SHIFT;
        if (Math.abs(place) < CORE[layer]) {
            return place * SCALE[layer];
        }
        return ofEdge(word, layer, place * SCALE[layer]);
    }

    private static double ofEdge(long key, int layer, double x) {
        long n = 0;
        while (true) {
            if (layer == 0) {
                return tail(key, n, x < 0);
            }
            double upper = density(EDGE[layer + 1]);
            double lower = density(EDGE[layer]);
            if (lower + uniform(key, ++n) * (upper - lower) < density(x)) {
                return x;
            }
            long word = Randomness.word(key, ++n);
            layer = (int) word & (LAYERS - 1);
            long place = word >> PLACE_SHIFT;
            x = place * SCALE[layer];
            if (Math.abs(place) < CORE[layer]) {
                return x;
            }
        }
    }

    /** Marsaglia's method of 1964 for what lies beyond {@link #TAIL}. */
    private static double tail(long key, long n, boolean negative) {
        double beyond;
        double y;
        do {
            beyond = -StrictMath.log(uniform(key, ++n)) / TAIL;
            y = -StrictMath.log(uniform(key, ++n));
        } while (y + y < beyond * beyond);
        return negative ? -TAIL - beyond : TAIL + beyond;
    }

    /** A uniform number in (0, 1]. */
    private static double uniform(long key, long n) {
        return ((Randomness.word(key, n) >>> PLACE_SHIFT) + 1) * UNIT;
    }

    private static double density(double x) {
        return StrictMath.exp(-0.5 * x * x);
    }
}
