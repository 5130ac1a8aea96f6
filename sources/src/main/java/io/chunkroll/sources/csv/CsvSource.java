package io.chunkroll.sources.csv;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sources.csv.CsvOptions.QuotedNewlines;
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
import java.util.stream.IntStream;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.core.fs.Path;

/**
 * A bounded source of the rows of CSV files.
 *
 * <p>{@link #plan} looks at the files before the job is made: which there are, what columns they have, which of them can be read
 * in pieces. {@link #table()} then is what both ends of the job work with, and {@link #source()} reads the files.
 *
 * <p>Files are read in the order of their names, each plain file in pieces of 8 MiB or more that are handed out in order to
 * whichever reader is free. A file that is compressed (gzip, zstd, told by its first bytes), or in which quoted fields hold line
 * ends, is read by one reader. After a failure each reader goes on at the byte where the next row begins: every row is in the
 * stream exactly once. The files must not change between plan and end.
 */
public final class CsvSource {
    private final CsvOptions options;
    private final List<InputFile> files;
    private final LoadedColumns columns;
    private final long splitBytes;

    private CsvSource(CsvOptions options, List<InputFile> files, LoadedColumns columns, long splitBytes) {
        this.options = options;
        this.files = files;
        this.columns = columns;
        this.splitBytes = splitBytes;
    }

    /**
     * Finds the files and decides by the first one's first line which columns are loaded.
     *
     * @param table all columns of the table
     * @throws SourceException if there are no files, one cannot be read, or the first line does not fit the table
     */
    public static CsvSource plan(CsvOptions options, TableDescription table) {
        return plan(options, table, 0);
    }

    /** @param splitBytes the length of pieces, or 0 to choose one */
    static CsvSource plan(CsvOptions options, TableDescription table, long splitBytes) {
        try {
            List<InputFile> found = FileFinder.find(options.path());
            long bytes = found.stream().mapToLong(InputFile::size).sum();
            long piece = splitBytes > 0 ? splitBytes : SplitMaker.splitBytes(bytes);
            LoadedColumns columns = chooseColumns(options, table, found);
            List<InputFile> files = new ArrayList<>();
            for (InputFile file : found) {
                files.add(file.asCuttable(file.size() > piece && isCuttable(file, options)));
            }
            return new CsvSource(options, List.copyOf(files), columns, piece);
        } catch (IOException e) {
            throw new SourceException("source.path " + options.path() + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** The table narrowed to the columns that are loaded, in the order in which the tuples hold them. */
    public TableDescription table() {
        return columns.narrowed();
    }

    /** Reads the files. Object reuse should be enabled: each reader emits one tuple object again and again. */
    public FileSource<Tuple> source() {
        SplitMaker splits = splitMaker();
        return FileSource.forBulkFileFormat(format(), new Path(options.path()))
                .setFileEnumerator(() -> splits)
                .setSplitAssigner(InOrderAssigner::new)
                .build();
    }

    /** Whether there are pieces enough for so many readers; a file that is packed or has quoted line ends is one piece. */
    public boolean feeds(int readers) {
        return splitMaker().enumerateSplits(new Path[0], readers).size() >= readers;
    }

    CsvFormat format() {
        return new CsvFormat(options, columns);
    }

    SplitMaker splitMaker() {
        return new SplitMaker(files, splitBytes);
    }

    private static LoadedColumns chooseColumns(CsvOptions options, TableDescription table, List<InputFile> files)
            throws IOException {
        LoadedColumns all = new LoadedColumns(
                table, IntStream.range(0, table.columns().size()).boxed().toList());
        for (InputFile file : files) {
            FileHead head = FileHead.read(file.path(), options);
            if (!head.fields().isEmpty()) {
                String name = FileNames.of(file.path());
                FieldMap map = FieldMap.of(options, all, head.fields(), name);
                if (options.columns().isEmpty()) {
                    checkCount(map, head, new FieldMap.Problem(name, head.fields(), table));
                }
                return new LoadedColumns(table, map.loaded());
            }
        }
        return new LoadedColumns(table, FieldMap.of(options, all, List.of(), "").loaded());
    }

    private static void checkCount(FieldMap map, FileHead head, FieldMap.Problem problem) {
        int fields = head.fields().size();
        if (!map.header() && fields != map.columns().size()) {
            throw problem.because("its first line has " + fields + " fields and names no column of the table, and "
                    + map.columns().size() + " columns are to be loaded");
        }
    }

    private static boolean isCuttable(InputFile file, CsvOptions options) throws IOException {
        if (options.quotedNewlines() == QuotedNewlines.YES && options.dialect().hasQuotes()) {
            return false;
        }
        if (Compression.of(file.path()) != Compression.NONE) {
            return false;
        }
        return !options.dialect().hasQuotes()
                || options.quotedNewlines() == QuotedNewlines.NO
                || !QuotedNewlineProbe.finds(file.path(), options.dialect());
    }
}
