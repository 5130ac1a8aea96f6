/**
 * What a row is, for everybody who handles one.
 *
 * <pre>
 *  field bytes ──▶ ColumnParser ──▶ TupleWriter ──▶ Tuple ──▶ TupleSerializer ──▶ (network) ──▶ Tuple
 *                  (one a column,    (binary COPY    (bytes, time,
 *                   by ColumnType)    framing)        partition key)
 * </pre>
 *
 * A row is parsed and encoded once, where it is born, into the bytes that PostgreSQL's binary COPY wants; from there on it
 * is only copied. The sources make tuples, the sinks send them, and neither knows the other: this module is what they share.
 */
package io.chunkroll.rows;
