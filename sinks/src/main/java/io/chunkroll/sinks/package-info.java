/**
 * Where rows go.
 *
 * <pre>
 *  Tuple ──▶ CopyWriter ──▶ Batch ──▶ BatchSender ──▶ CopyChannel ──▶ BEGIN · COPY · COMMIT ──▶ table
 *            (mailbox        (sorted    (own thread,    (one           │
 *             thread)         on its     retries)        connection)   └─ SinkMetrics count only now
 *                             way out)
 * </pre>
 *
 * {@code table} knows tables: names, layouts, partitions. {@code copy} is the COPY sink, {@code jdbc} the one of multi-row INSERTs,
 * {@code discard} the one that measures a source alone, {@code reject} what becomes of rows that are left out. Nothing here knows where
 * rows come from.
 */
package io.chunkroll.sinks;
