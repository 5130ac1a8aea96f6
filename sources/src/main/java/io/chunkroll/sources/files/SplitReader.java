package io.chunkroll.sources.files;

import io.chunkroll.rows.Tuple;
import java.io.IOException;
import java.io.InputStream;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.CheckpointedPosition;
import org.apache.flink.core.fs.Path;

/**
 * Reads one split, blocks of rows on Flink's fetcher thread, tuples of them on the task's thread, and names the file where that fails. A
 * split that is a whole file may be compressed; one that is a part may not.
 */
public record SplitReader(Path file, BlockReader blocks, RecordParser parser) implements BulkFormat.Reader<Tuple> {

    /** Makes the parser of a split's rows: the line is that of the first one, 0 if it is not known. */
    @FunctionalInterface
    public interface ParserMaker {
        RecordParser parser(long line) throws IOException;
    }

    /**
     * Opens a split at its beginning, or where a checkpoint left it.
     *
     * @param dataStart where the file's first row begins
     * @param firstLine the line of that row
     */
    public static SplitReader open(
            FileSourceSplit split, long dataStart, long firstLine, RowEnds rowEnds, ParserMaker parsers)
            throws IOException {
        long position =
                split.getReaderPosition().map(CheckpointedPosition::getOffset).orElse(CheckpointedPosition.NO_OFFSET);
        if (position != CheckpointedPosition.NO_OFFSET) {
            return at(split, position, rowEnds, parsers.parser(0));
        }
        if (split.offset() > dataStart) {
            // One byte before: if that is a line end, the range begins with a row, and nothing is skipped.
            SplitReader reader = at(split, split.offset() - 1, rowEnds, parsers.parser(0));
            reader.blocks.skipToNextRow();
            return reader;
        }
        return at(split, dataStart, rowEnds, parsers.parser(isWhole(split) ? firstLine : 0));
    }

    private static SplitReader at(FileSourceSplit split, long start, RowEnds rowEnds, RecordParser parser)
            throws IOException {
        Path file = split.path();
        boolean whole = isWhole(split);
        InputStream in = whole ? Compression.open(file, start) : Compression.openPlain(file, start);
        long end = whole ? BlockReader.TO_THE_END : split.offset() + split.length();
        return new SplitReader(file, new BlockReader(in, start, end, rowEnds, BlockReader.BLOCK_BYTES), parser);
    }

    /** Whether the split is the whole file. */
    public static boolean isWhole(FileSourceSplit split) {
        return split.offset() == 0 && split.length() == split.fileSize();
    }

    @Override
    public BulkFormat.RecordIterator<Tuple> readBatch() throws IOException {
        try {
            Block block = blocks.next();
            return block == null ? null : new Records(block, parser, blocks);
        } catch (IOException e) {
            throw new IOException("Cannot read " + FileNames.of(file) + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        blocks.close();
    }
}
