/** The target: how to reach its server, what its table looks like, and how tables and partitions are made. */
package io.chunkroll.sinks.table;
