package io.chunkroll.sinks.reject;

/**
 * A file of rejects that is written and not published yet.
 *
 * @param file its hidden name
 * @param rows rows in it, at least one
 * @param last where the last of them stands and why it was refused, in words
 */
public record PendingRejects(String file, long rows, String last) {}
