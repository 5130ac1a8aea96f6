package io.chunkroll.sources.tsbs;

import io.chunkroll.rows.ParseOptions;
import io.chunkroll.rows.RowEncoder;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleTypeInfo;
import io.chunkroll.sources.files.BadRows;
import io.chunkroll.sources.files.FileNames;
import io.chunkroll.sources.files.SourceException;
import io.chunkroll.sources.files.SplitReader;
import java.io.IOException;
import java.time.ZoneOffset;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.core.fs.Path;

/** Reads splits of TSBS files. */
final class TsbsFormat implements BulkFormat<Tuple, FileSourceSplit> {
    private static final long serialVersionUID = 1L;
    private static final ParseOptions PARSE = new ParseOptions(ZoneOffset.UTC, "epoch-ns");

    private final TsbsOptions options;
    private final TsbsHeader header;
    private final String measurement;
    private final TableDescription columns;
    /** The file that was opened last, whose header is the one that is wanted, and its length: splits of a file follow one another. */
    private transient volatile Known known;

    TsbsFormat(TsbsOptions options, TsbsHeader header, String measurement, TableDescription columns) {
        this.options = options;
        this.header = header;
        this.measurement = measurement;
        this.columns = columns;
    }

    @Override
    public Reader<Tuple> createReader(Configuration configuration, FileSourceSplit split) throws IOException {
        TsbsHeader own = checkedHeader(split.path());
        return SplitReader.open(
                split,
                own.length(),
                own.lines() + 1L,
                TsbsRowEnds.INSTANCE,
                line -> new TsbsParser(
                        header,
                        measurement,
                        new RowEncoder(columns, PARSE),
                        new BadRows(split.path(), options.rejects()),
                        line));
    }

    @Override
    public Reader<Tuple> restoreReader(Configuration configuration, FileSourceSplit split) throws IOException {
        return createReader(configuration, split);
    }

    private TsbsHeader checkedHeader(Path file) throws IOException {
        Known last = known;
        if (last == null || !last.file().equals(file)) {
            last = new Known(file, TsbsHeader.read(file));
            known = last;
        }
        if (!last.header().agreesWith(header)) {
            throw new SourceException(
                    FileNames.of(file)
                            + " has another header than the first file of source.path, and so other columns: load it by a run of its own");
        }
        return last.header();
    }

    private record Known(Path file, TsbsHeader header) {}

    @Override
    public boolean isSplittable() {
        return true;
    }

    @Override
    public TypeInformation<Tuple> getProducedType() {
        return TupleTypeInfo.INSTANCE;
    }
}
