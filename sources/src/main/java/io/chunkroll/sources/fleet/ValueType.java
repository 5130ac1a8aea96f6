package io.chunkroll.sources.fleet;

/** What holds the values of a row of the wide data. */
public enum ValueType {
    /** A column {@code integer} for each value. */
    INT,
    /** A column {@code real} for each value. */
    FLOAT4,
    /** A column {@code double precision} for each value. */
    FLOAT8,
    /** One column {@code jsonb} for all of them. */
    JSON,
    /** One column {@code integer[]} for all of them; rows then go as text, for arrays have no binary form here. */
    ARRAY;

    /** Whether each value has a column of its own. */
    boolean isColumnEach() {
        return this != JSON && this != ARRAY;
    }
}
