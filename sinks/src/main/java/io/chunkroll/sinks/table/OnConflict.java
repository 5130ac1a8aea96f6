package io.chunkroll.sinks.table;

/** What becomes of a row whose unique key is in the table already. */
public enum OnConflict {
    ERROR,
    SKIP,
    REPLACE
}
