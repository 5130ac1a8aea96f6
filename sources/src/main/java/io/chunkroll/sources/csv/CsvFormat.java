package io.chunkroll.sources.csv;

import io.chunkroll.rows.RowEncoder;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleTypeInfo;
import io.chunkroll.sources.files.RowEnds;
import io.chunkroll.sources.files.SplitReader;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
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
        boolean linesEndRows = !SplitReader.isWhole(split) || !options.mayQuoteNewlines();
        return SplitReader.open(
                split,
                layout.dataStart(),
                layout.firstLine(),
                linesEndRows ? RowEnds.LINES : new QuoteTracker(options.dialect()),
                line -> new RowParser(
                        new RowScanner(options.dialect(), linesEndRows, layout.fields()),
                        new RowEncoder(columns.narrowed(), options.parse()),
                        layout,
                        new CsvBadRows(split.path(), options, layout.dataStart()),
                        line));
    }

    @Override
    public Reader<Tuple> restoreReader(Configuration configuration, FileSourceSplit split) throws IOException {
        return createReader(configuration, split);
    }

    @Override
    public boolean isSplittable() {
        return true;
    }

    @Override
    public TypeInformation<Tuple> getProducedType() {
        return TupleTypeInfo.INSTANCE;
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
}
