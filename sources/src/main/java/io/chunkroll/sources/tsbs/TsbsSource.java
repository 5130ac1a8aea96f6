package io.chunkroll.sources.tsbs;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sources.files.Compression;
import io.chunkroll.sources.files.FileFinder;
import io.chunkroll.sources.files.FileNames;
import io.chunkroll.sources.files.InOrderAssigner;
import io.chunkroll.sources.files.InputFile;
import io.chunkroll.sources.files.SourceException;
import io.chunkroll.sources.files.SplitMaker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.core.fs.Path;

/**
 * A bounded source of the rows of files as TSBS writes them for TimescaleDB. A row is a line of tags and a line of values:
 *
 * <pre>
 *  tags,hostname=host_0,region=eu-central-1,…
 *  cpu,1451606400000000000,58,2,24,…              (nanoseconds since 1970; an empty field is NULL)
 * </pre>
 *
 * <p>Files are found, cut and read as CSV files are. All must have the first one's header.
 */
public final class TsbsSource {
    /** The column of tags that a header does not name. */
    public static final String ADDITIONAL_TAGS = "additional_tags";

    private static final String TIME = "time";

    private final TsbsOptions options;
    private final List<InputFile> files;
    private final TsbsHeader header;
    private final String measurement;
    private final long splitBytes;

    private TsbsSource(
            TsbsOptions options, List<InputFile> files, TsbsHeader header, String measurement, long splitBytes) {
        this.options = options;
        this.files = files;
        this.header = header;
        this.measurement = measurement;
        this.splitBytes = splitBytes;
    }

    /**
     * Finds the files and reads the first one's header.
     *
     * @throws SourceException if there are no files, one cannot be read, has no header, or not the measurement
     */
    public static TsbsSource plan(TsbsOptions options) {
        return plan(options, 0);
    }

    /** @param splitBytes the length of pieces, or 0 to choose one */
    static TsbsSource plan(TsbsOptions options, long splitBytes) {
        try {
            List<InputFile> found = FileFinder.find(options.path());
            long bytes = found.stream().mapToLong(InputFile::size).sum();
            long piece = splitBytes > 0 ? splitBytes : SplitMaker.splitBytes(bytes);
            List<InputFile> files = new ArrayList<>();
            for (InputFile file : found) {
                files.add(file.asCuttable(file.size() > piece && Compression.of(file.path()) == Compression.NONE));
            }
            Path first = found.get(0).path();
            TsbsHeader header = TsbsHeader.read(first);
            return new TsbsSource(
                    options, List.copyOf(files), header, chosen(options, header, FileNames.of(first)), piece);
        } catch (IOException e) {
            throw new SourceException("source.path " + options.path() + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static String chosen(TsbsOptions options, TsbsHeader header, String file) {
        String asked = options.measurement();
        List<String> all = List.copyOf(header.measurements().keySet());
        if (asked.isEmpty() && all.size() > 1) {
            throw new SourceException(
                    file + " holds several measurements, each for a table of its own: " + String.join(", ", all)
                            + ". Name one in source.tsbs.measurement, and load the others by runs of their own");
        }
        if (!asked.isEmpty() && !all.contains(asked)) {
            throw new SourceException(
                    "source.tsbs.measurement is " + asked + ", but " + file + " has only " + String.join(", ", all));
        }
        return asked.isEmpty() ? all.get(0) : asked;
    }

    /** The measurement that is loaded, after which TSBS names its table. */
    public String measurement() {
        return measurement;
    }

    /** The tags that the header names; the first tells the hosts apart. */
    public List<Column> tags() {
        return header.tags();
    }

    /**
     * What tuples hold: the time, the tags, {@value #ADDITIONAL_TAGS}, the values, which TSBS all keeps as {@code double precision}. The
     * key is the first tag.
     */
    public TableDescription columns() {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column(TIME, ColumnType.TIMESTAMPTZ, "timestamp with time zone", true));
        columns.addAll(header.tags());
        columns.add(new Column(ADDITIONAL_TAGS, ColumnType.JSONB, "jsonb", false));
        header.measurements()
                .get(measurement)
                .forEach(name -> columns.add(new Column(name, ColumnType.FLOAT8, "double precision", false)));
        return new TableDescription(columns, 0, 1);
    }

    /**
     * Reads the files. Object reuse should be enabled: each reader emits one tuple object again and again.
     *
     * @param columns {@link #columns()}, or the same in other types, which a table has
     */
    public FileSource<Tuple> source(TableDescription columns) {
        SplitMaker splits = splitMaker();
        return FileSource.forBulkFileFormat(format(columns), new Path(options.path()))
                .setFileEnumerator(() -> splits)
                .setSplitAssigner(InOrderAssigner::new)
                .build();
    }

    /** Whether there are pieces enough for so many readers; a file that is packed is one piece. */
    public boolean feeds(int readers) {
        return splitMaker().enumerateSplits(new Path[0], readers).size() >= readers;
    }

    TsbsFormat format(TableDescription columns) {
        return new TsbsFormat(options, header, measurement, columns);
    }

    SplitMaker splitMaker() {
        return new SplitMaker(files, splitBytes);
    }
}
