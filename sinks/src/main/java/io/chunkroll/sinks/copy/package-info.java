/**
 * The COPY sink: {@link io.chunkroll.sinks.copy.CopySink} on top, then in the order of a row's way {@code CopyWriter}, {@code Batch},
 * {@code BatchSender}, {@code CopyChannel}, and a {@code BatchLoad}: straight into the table, or by way of
 * {@code ConflictLoad}'s staging table.
 */
package io.chunkroll.sinks.copy;
