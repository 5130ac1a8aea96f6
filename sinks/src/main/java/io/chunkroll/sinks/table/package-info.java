/**
 * The target: how to reach its server, what its table looks like, and how tables and partitions are made, also
 * those that get their indexes when a {@link io.chunkroll.sinks.table.BulkLoad} has brought all rows.
 */
package io.chunkroll.sinks.table;
