package io.chunkroll.sources.fleet;

/** Takes a row's values in column order, between {@link #begin()} and {@link #end()}. */
interface FieldWriter {

    void begin();

    /** Puts a moment, in microseconds since 1970-01-01 UTC. */
    void timestamp(long unixMicros);

    /** Puts a text, UTF-8, that needs no quoting: no comma, quote or line end. */
    void text(byte[] utf8, int length);

    /** Puts a double, given as a whole number from 0 to 1e15 of units of 1e-13 ({@link FixedPoint}). */
    void fixedPoint(long units);

    void end();
}
