/**
 * The COPY sink: {@link io.chunkroll.sinks.copy.CopySink} on top, then in the order of a row's way {@code CopyWriter}, {@code Batch},
 * {@code BatchSender}, {@code CopyChannel}.
 */
package io.chunkroll.sinks.copy;
