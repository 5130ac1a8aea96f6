package io.chunkroll.sinks.copy;

/**
 * What became of a batch's rows. Together they are all of the batch.
 *
 * @param inserted rows that are new in the table
 */
record Loaded(long inserted) {}
