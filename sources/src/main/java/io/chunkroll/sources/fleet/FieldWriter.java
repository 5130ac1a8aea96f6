package io.chunkroll.sources.fleet;

/** Takes a row's values in column order, between {@link #begin()} and {@link #end()}. */
interface FieldWriter {

    void begin();

    /** Puts a moment, a {@code timestamptz}, in microseconds since 1970-01-01 UTC. */
    void timestamp(long unixMicros);

    /** Puts a {@code timestamp}, in microseconds since 1970-01-01. */
    void timestampWithoutZone(long unixMicros);

    /** Puts a {@code text}, {@code varchar} or {@code char}, UTF-8, that needs no quoting: no comma, quote or line end, and not empty. */
    void text(byte[] utf8, int length);

    /** Puts an {@code integer}. */
    void int4(int value);

    /** Puts a {@code real}, given as a whole number from 0 to 2^24 of units of 1e-5 ({@link FixedPoint#toFloat}). */
    void float4(int units);

    /** Puts a {@code double precision}, given as a whole number from 0 to 1e15 of units of 1e-13 ({@link FixedPoint#toDouble}). */
    void fixedPoint(long units);

    /** Puts a {@code double precision} that is a whole number. */
    void wholeNumber(int value);

    /** Puts a {@code numeric}, given as a whole number of units of the column's last decimal: 12.3400 is 123400 with scale 4. */
    void numeric(long units, int scale);

    /** Puts a {@code jsonb}, UTF-8, without line ends. */
    void json(byte[] utf8, int length);

    /** Puts an array as PostgreSQL spells it, <code>{1,2}</code>, of numbers. */
    void array(byte[] ascii, int length);

    void nullField();

    void end();
}
