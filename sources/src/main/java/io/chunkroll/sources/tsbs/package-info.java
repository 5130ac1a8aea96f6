/**
 * Rows of files as TSBS writes them for TimescaleDB: a header, then for each row a line of tags and a line of values.
 *
 * <pre>
 *  TsbsSource.plan  files, TsbsHeader ─▶ columns()
 *  TsbsFormat  split ─▶ BlockReader (rows end as TsbsRowEnds says) ─▶ TsbsParser ─▶ Tuple
 *                                                                      └ TagScanner, JsonObject (tags that the header does not name)
 * </pre>
 *
 * The format is that of TSBS's serializer for TimescaleDB (github.com/timescale/tsbs, pkg/targets/timescaledb).
 */
package io.chunkroll.sources.tsbs;
