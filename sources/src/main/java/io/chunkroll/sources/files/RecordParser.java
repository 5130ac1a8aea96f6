package io.chunkroll.sources.files;

import io.chunkroll.rows.Tuple;

/** Makes tuples of a file's rows, one after the other. Not safe for several threads. */
public interface RecordParser {
    /**
     * Scans the row at this index of the block; {@link #tuple} then makes its tuple.
     *
     * @return where the next row begins
     */
    int scan(Block block, int start);

    /**
     * The tuple of the row just scanned, or of its account if it is a bad row; good until the next one is made. Null for a row that is to be
     * passed over.
     */
    Tuple tuple(Block block, int start);
}
