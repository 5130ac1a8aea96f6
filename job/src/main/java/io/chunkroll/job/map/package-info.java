/**
 * The user's own function between source and sink: found by its class's name, given each row as Flink's {@code Row}.
 *
 * <pre>
 *  Tuple ──▶ RowMapper: RowCodec ──▶ Row ──▶ the user's MapFunction ──▶ Row, or null ──▶ RowCodec ──▶ Tuple
 * </pre>
 */
package io.chunkroll.job.map;
