/**
 * Where rows come from.
 *
 * <pre>
 *  csv    files ──▶ pieces of 8 MiB, in order ──▶ blocks of bytes ──▶ rows, fields ──▶ RowEncoder ──▶ Tuple
 *  fleet  devices ──▶ ranges of devices ──▶ step by step, aligned ──▶ values ──▶ TupleWriter ──▶ Tuple
 *                                                                    └─▶ text ──▶ a file of the same rows
 * </pre>
 *
 * Nothing here knows where rows go.
 */
package io.chunkroll.sources;
