package io.chunkroll.sources.csv;

import io.chunkroll.rows.Tuple;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.MutableRecordAndPosition;
import org.apache.flink.connector.file.src.util.RecordAndPosition;

/** The tuples of a block, each parsed when it is asked for, and each with the place in the file where the next row begins. */
final class Rows implements BulkFormat.RecordIterator<Tuple> {
    private final Block block;
    private final RowParser parser;
    private final BlockReader blocks;
    private final MutableRecordAndPosition<Tuple> record = new MutableRecordAndPosition<>();
    private int at;

    Rows(Block block, RowParser parser, BlockReader blocks) {
        this.block = block;
        this.parser = parser;
        this.blocks = blocks;
    }

    @Override
    public RecordAndPosition<Tuple> next() {
        if (at >= block.limit) {
            return null;
        }
        int start = at;
        at = parser.scan(block, start);
        record.set(parser.tuple(block, start), block.offset + at, 0);
        return record;
    }

    @Override
    public void releaseBatch() {
        blocks.recycle(block);
    }
}
