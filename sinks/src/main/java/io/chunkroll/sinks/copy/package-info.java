/**
 * The COPY sink: {@link io.chunkroll.sinks.copy.CopySink} on top, then in the order of a row's way {@code CopyWriter}, {@code Batch},
 * {@code BatchSender}, {@code CopyChannel}, and a {@code BatchLoad}: straight into the table, or by way of
 * {@code ConflictLoad}'s staging table. Before that, a {@code ChunkMaker} makes what the batch needs: {@code ChunksAhead} or
 * {@code PartitionsAhead}, and around them {@code HeldChunks} where the transaction stays open. In a bulk load, {@code PartitionsApart}
 * makes partitions that are attached at the end, and copies rows into them.
 */
package io.chunkroll.sinks.copy;
