package io.chunkroll.sources.csv;

import io.chunkroll.rows.BigEndian;
import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.Origin;
import io.chunkroll.rows.Reject;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.CheckpointedPosition;
import org.apache.flink.connector.file.src.util.RecordAndPosition;

/** Reads files without a job, and shows tuples as texts: {@code 1|name|NULL}. */
public final class CsvReading {
    static final Column ID = new Column("id", ColumnType.INT8, "bigint", false);
    static final Column NAME = new Column("name", ColumnType.TEXT, "text", false);
    static final Column NOTE = new Column("note", ColumnType.TEXT, "text", false);
    static final TableDescription TABLE = new TableDescription(List.of(ID, NAME, NOTE), TableDescription.NONE, 1);

    private static final Instant Y2K = Instant.parse("2000-01-01T00:00:00Z");

    private CsvReading() {}

    /** A row, and the offset of the one after it. */
    record Row(String text, long next) {}

    public static Path write(Path file, String content) {
        return write(file, content.getBytes(StandardCharsets.UTF_8));
    }

    public static Path write(Path file, byte[] content) {
        try {
            Files.createDirectories(file.getParent());
            return Files.write(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Plans and reads, in pieces of at most this length. */
    static List<String> read(CsvOptions options, TableDescription table, long splitBytes) {
        CsvSource source = CsvSource.plan(options, table, splitBytes);
        List<String> rows = new ArrayList<>();
        for (FileSourceSplit split : splits(source)) {
            read(source, split).forEach(row -> rows.add(row.text()));
        }
        return rows;
    }

    static List<String> read(CsvOptions options) {
        return read(options, TABLE, 0);
    }

    static Collection<FileSourceSplit> splits(CsvSource source) {
        return source.splitMaker().enumerateSplits(new org.apache.flink.core.fs.Path[0], 1);
    }

    static List<Row> read(CsvSource source, FileSourceSplit split) {
        TableDescription table = source.table();
        List<Row> rows = new ArrayList<>();
        forEach(source.format(), split, row -> rows.add(new Row(show(row.getRecord(), table), row.getOffset())));
        return rows;
    }

    public static void forEach(
            BulkFormat<Tuple, FileSourceSplit> format,
            FileSourceSplit split,
            Consumer<RecordAndPosition<Tuple>> action) {
        Configuration none = new Configuration();
        try (BulkFormat.Reader<Tuple> reader = split.getReaderPosition().isPresent()
                ? format.restoreReader(none, split)
                : format.createReader(none, split)) {
            for (var batch = reader.readBatch(); batch != null; batch = reader.readBatch()) {
                for (RecordAndPosition<Tuple> row = batch.next(); row != null; row = batch.next()) {
                    action.accept(row);
                }
                batch.releaseBatch();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static FileSourceSplit range(Path file, long from, long to) {
        long size = file.toFile().length();
        return new FileSourceSplit(
                "x", org.apache.flink.core.fs.Path.fromLocalFile(file.toFile()), from, to - from, 0, size);
    }

    public static FileSourceSplit restored(FileSourceSplit split, long position) {
        return split.updateWithCheckpointedPosition(new CheckpointedPosition(position, 0));
    }

    public static String show(Tuple tuple, TableDescription table) {
        if (tuple.isRejected()) {
            Reject reject = Reject.decode(tuple);
            Origin origin = reject.origin();
            return "REJECT at " + origin.offset() + " line " + origin.line() + " column [" + reject.column() + "] "
                    + reject.reason() + " row " + new String(origin.row(), StandardCharsets.UTF_8);
        }
        StringJoiner text = new StringJoiner("|");
        int at = Short.BYTES;
        for (Column column : table.columns()) {
            int length = BigEndian.getInt(tuple.bytes(), at);
            at += Integer.BYTES;
            if (length < 0) {
                text.add("NULL");
            } else {
                text.add(show(tuple.bytes(), at, length, column.type()));
                at += length;
            }
        }
        return text.toString();
    }

    private static String show(byte[] bytes, int at, int length, ColumnType type) {
        return switch (type) {
            case INT8 -> Long.toString(BigEndian.getLong(bytes, at));
            case FLOAT8 -> Double.toString(Double.longBitsToDouble(BigEndian.getLong(bytes, at)));
            case TIMESTAMPTZ ->
                Y2K.plus(BigEndian.getLong(bytes, at), ChronoUnit.MICROS).toString();
            case JSONB -> new String(bytes, at + 1, length - 1, StandardCharsets.UTF_8);
            default -> new String(bytes, at, length, StandardCharsets.UTF_8);
        };
    }
}
