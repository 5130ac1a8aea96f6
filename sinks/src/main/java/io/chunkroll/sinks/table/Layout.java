package io.chunkroll.sinks.table;

/** How a table is stored. */
public enum Layout {
    /** One heap, or partitions by something else than one column of time: there is nothing to be made for new rows. */
    PLAIN,
    /** TimescaleDB's: chunks by time, made by the server as rows come. */
    HYPERTABLE,
    /** PostgreSQL's declarative partitions by time, made by {@link PartitionMaker} ahead of the rows. */
    PARTITIONED
}
