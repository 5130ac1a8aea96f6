package io.chunkroll.sources.fleet;

/** Where a host's tags stand. */
public enum TagPlace {
    /** In a table of their own, to whose {@code id} rows refer. */
    TABLE,
    /** In the rows themselves, as texts. */
    COLUMNS
}
