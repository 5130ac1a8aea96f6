/**
 * Rows that refer to a table of tags: between the source, whose rows have each tag, and the sink, whose table has {@code tags_id}.
 *
 * <pre>
 *  source ─▶ (time, hostname, region, …, values) ─▶ TagIds ─▶ (time, tags_id, values) ─▶ sink
 *                                                    │  └ IdMap: host ─▶ id
 *                                                    └ hosts that are new, many at once ─▶ HostIds ─▶ tags
 * </pre>
 */
package io.chunkroll.job.tags;
