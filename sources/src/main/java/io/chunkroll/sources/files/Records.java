package io.chunkroll.sources.files;

import io.chunkroll.rows.Tuple;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.MutableRecordAndPosition;
import org.apache.flink.connector.file.src.util.RecordAndPosition;

/** The tuples of a block, each parsed when it is asked for, and each with the place in the file where the next row begins. */
final class Records implements BulkFormat.RecordIterator<Tuple> {
    private final Block block;
    private final RecordParser parser;
    private final BlockReader blocks;
    private final MutableRecordAndPosition<Tuple> record = new MutableRecordAndPosition<>();
    private int at;

    Records(Block block, RecordParser parser, BlockReader blocks) {
        this.block = block;
        this.parser = parser;
        this.blocks = blocks;
    }

    @Override
    public RecordAndPosition<Tuple> next() {
        while (at < block.limit) {
            int start = at;
            at = parser.scan(block, start);
            Tuple tuple = parser.tuple(block, start);
            if (tuple != null) {
                record.set(tuple, block.offset + at, 0);
                return record;
            }
        }
        return null;
    }

    @Override
    public void releaseBatch() {
        blocks.recycle(block);
    }
}
