package io.chunkroll.sources.csv;

import io.chunkroll.rows.RowEncoder;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleTypeInfo;
import java.io.IOException;
import java.io.InputStream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.CheckpointedPosition;
import org.apache.flink.core.fs.Path;

/**
 * Reads splits: blocks of rows on Flink's fetcher thread, tuples of them on the task's thread. A split that is a whole file may
 * be compressed and may hold fields of several lines; one that is a part may not.
 */
final class CsvFormat implements BulkFormat<Tuple, FileSourceSplit> {
    private static final long serialVersionUID = 1L;

    private final CsvOptions options;
    private final LoadedColumns columns;
    /** The layout of the file that was opened last: the splits of a file follow one another. */
    private transient volatile KnownLayout known;

    CsvFormat(CsvOptions options, LoadedColumns columns) {
        this.options = options;
        this.columns = columns;
    }

    @Override
    public Reader<Tuple> createReader(Configuration configuration, FileSourceSplit split) throws IOException {
        FileLayout layout = layout(split.path());
        if (split.offset() > layout.dataStart()) {
            // One byte before: if that is a line end, the range begins with a row, and nothing is skipped.
            RowReader reader = open(split, layout, split.offset() - 1, 0);
            reader.skipToNextRow();
            return reader;
        }
        return open(split, layout, layout.dataStart(), isWhole(split) ? layout.firstLine() : 0);
    }

    @Override
    public Reader<Tuple> restoreReader(Configuration configuration, FileSourceSplit split) throws IOException {
        long position =
                split.getReaderPosition().map(CheckpointedPosition::getOffset).orElse(CheckpointedPosition.NO_OFFSET);
        return position == CheckpointedPosition.NO_OFFSET
                ? createReader(configuration, split)
                : open(split, layout(split.path()), position, 0);
    }

    @Override
    public boolean isSplittable() {
        return true;
    }

    @Override
    public TypeInformation<Tuple> getProducedType() {
        return TupleTypeInfo.INSTANCE;
    }

    private RowReader open(FileSourceSplit split, FileLayout layout, long start, long line) throws IOException {
        Path file = split.path();
        boolean whole = isWhole(split);
        boolean linesEndRows = !whole || !options.mayQuoteNewlines();
        RowParser parser = new RowParser(
                new RowScanner(options.dialect(), linesEndRows, layout.fields()),
                new RowEncoder(columns.narrowed(), options.parse()),
                layout,
                new BadRows(file, options, layout.dataStart()),
                line);
        InputStream in = whole ? Compression.open(file, start) : Compression.openPlain(file, start);
        BlockReader blocks = new BlockReader(
                in,
                start,
                whole ? BlockReader.TO_THE_END : split.offset() + split.length(),
                linesEndRows ? null : new QuoteTracker(options.dialect()),
                BlockReader.BLOCK_BYTES);
        return new RowReader(file, blocks, parser);
    }

    private static boolean isWhole(FileSourceSplit split) {
        return split.offset() == 0 && split.length() == split.fileSize();
    }

    private FileLayout layout(Path file) throws IOException {
        KnownLayout last = known;
        if (last == null || !last.file().equals(file)) {
            last = new KnownLayout(file, FileLayout.of(file, options, columns));
            known = last;
        }
        return last.layout();
    }

    private record KnownLayout(Path file, FileLayout layout) {}

    /** Reads one split, and names the file where that fails. */
    private record RowReader(Path file, BlockReader blocks, RowParser parser) implements Reader<Tuple> {
        void skipToNextRow() throws IOException {
            blocks.skipToNextRow();
        }

        @Override
        public RecordIterator<Tuple> readBatch() throws IOException {
            try {
                Block block = blocks.next();
                return block == null ? null : new Rows(block, parser, blocks);
            } catch (IOException e) {
                throw new IOException("Cannot read " + FileNames.of(file) + ": " + e.getMessage(), e);
            }
        }

        @Override
        public void close() throws IOException {
            blocks.close();
        }
    }
}
