package io.chunkroll.sources.fleet;

/** How rows are spelled in a file. */
public enum FleetFileFormat {
    /** A line a row, as PostgreSQL's COPY reads and writes it. */
    CSV,
    /** Two lines a row, tags and values, behind a header, as TSBS writes it for TimescaleDB. */
    TSBS
}
