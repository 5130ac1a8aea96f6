package io.chunkroll.sources.fleet;

/**
 * Numbers from 0 to 100 with thirteen decimals, held as whole numbers of units of 1e-13.
 *
 * <p>Both the units (up to 1e15 &lt; 2^53) and the divisor 1e13 are exact as doubles, so that one division gives the double that is
 * nearest to the decimal number. That is also what reading the decimal digits gives: text and binary form mean the same double.
 */
final class FixedPoint {
    static final int DECIMALS = 13;
    static final long ONE = 10_000_000_000_000L;
    static final long HUNDRED = 100 * ONE;

    /** Floats have five decimals, and all of the above holds of them: units up to 1e7 &lt; 2^24, and 1e5, are exact. */
    static final int FLOAT_DECIMALS = 5;

    static final int FLOAT_ONE = 100_000;
    static final int FLOAT_HUNDRED = 100 * FLOAT_ONE;

    private FixedPoint() {}

    static float toFloat(int units) {
        return units / (float) FLOAT_ONE;
    }

    static double toDouble(long units) {
        return units / (double) ONE;
    }

    static long clamp(long units) {
        return Math.max(0, Math.min(HUNDRED, units));
    }
}
