/**
 * Rows that are left out, and what becomes of their accounts.
 *
 * <pre>
 *  Reject ──▶ RejectLog ──▶ .rejects-…            ──▶ RejectFolder ──▶ rejects-….jsonl
 *  (of the    (one a        (hidden, written on       publishes with
 *   source, or writer)       the way)                 the checkpoint
 *   the server)
 * </pre>
 *
 * <p>A file of rejects goes the way of a transaction: it is written out of sight, and becomes visible when the rows around it are in the
 * table for good. A job that comes back deletes those of its hidden files whose rows come again; the load's name in theirs tells which are
 * its own.
 */
package io.chunkroll.sinks.reject;
