package io.chunkroll.sources.csv;

import static io.chunkroll.sources.csv.CsvReading.TABLE;
import static io.chunkroll.sources.csv.CsvReading.forEach;
import static io.chunkroll.sources.csv.CsvReading.range;
import static io.chunkroll.sources.csv.CsvReading.read;
import static io.chunkroll.sources.csv.CsvReading.restored;
import static io.chunkroll.sources.csv.CsvReading.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.rows.BigEndian;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sources.csv.CsvReading.Row;
import io.chunkroll.sources.files.BlockReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Wherever a file is cut, and wherever reading goes on after a failure: each row once. */
class CsvRangesTest {
    private static final int ROWS = 1_000;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"LF, header", "CRLF", "CRLF, mark, header", "LF, mark"})
    void everyCutGivesEveryRowOnce(String kind) throws IOException {
        Path file = file(kind.startsWith("CRLF") ? "\r\n" : "\n", kind);
        CsvSource source = plan(file);
        CsvFormat format = source.format();
        long size = Files.size(file);

        for (long cut = 1; cut < size; cut++) {
            AtomicLong next = new AtomicLong();
            forEach(format, range(file, 0, cut), row -> checkId(row.getRecord(), next));
            forEach(format, range(file, cut, size), row -> checkId(row.getRecord(), next));
            assertThat(next.get()).as("cut at %d", cut).isEqualTo(ROWS);
        }
    }

    /** Cheap, for it is done millions of times. */
    private static void checkId(Tuple row, AtomicLong next) {
        long id = BigEndian.getLong(row.bytes(), Short.BYTES + Integer.BYTES);
        if (row.isRejected() || id != next.getAndIncrement()) {
            throw new AssertionError("Row " + id + " comes where " + (next.get() - 1) + " should");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 7, 16, 100, 5_000})
    void manyPiecesGiveEveryRowOnce(long pieceBytes) {
        Path file = file("\r\n", "header");

        assertThat(read(options(file), TABLE, pieceBytes).equals(expected())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n"})
    void readingGoesOnAtEveryPosition(String lineEnd) throws IOException {
        Path file = file(lineEnd, "header");
        CsvSource source = plan(file);
        long size = Files.size(file);
        long cut = size / 2;

        for (FileSourceSplit split : List.of(range(file, 0, cut), range(file, cut, size), range(file, 0, size))) {
            List<Row> rows = read(source, split);
            for (int i = 0; i < rows.size(); i++) {
                assertThat(read(source, restored(split, rows.get(i).next())))
                        .isEqualTo(rows.subList(i + 1, rows.size()));
            }
        }
    }

    @Test
    void rowsLongerThanBlocksAndPiecesAreReadWhole() {
        StringBuilder text = new StringBuilder();
        List<String> expected = new ArrayList<>();
        Random random = new Random(7);
        for (int i = 0; i < 40; i++) {
            String name = "x".repeat(random.nextInt(3 * BlockReader.BLOCK_BYTES));
            text.append(i).append(',').append(name).append(",\n");
            expected.add(i + "|" + (name.isEmpty() ? "NULL" : name) + "|NULL");
        }
        Path file = write(folder.resolve("long.csv"), text.toString());

        for (long piece : new long[] {100_000, 1 << 20, 1L << 30}) {
            assertThat(read(options(file), TABLE, piece).equals(expected))
                    .as("pieces of %d", piece)
                    .isTrue();
        }
    }

    @Test
    void blocksEndAnywhere() {
        StringBuilder text = new StringBuilder();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 60_000; i++) {
            text.append(i).append(",\"a\n").append(i % 13 == 0 ? "\"\"" : "").append("\",b\r\n");
            expected.add(i + "|a\n" + (i % 13 == 0 ? "\"" : "") + "|b");
        }
        Path file = write(folder.resolve("blocks.csv"), text.toString());

        assertThat(read(options(file)).equals(expected)).isTrue();
    }

    private static CsvSource plan(Path file) {
        return CsvSource.plan(options(file), TABLE);
    }

    private static CsvOptions options(Path file) {
        return CsvOptions.of(file.toString());
    }

    private Path file(String lineEnd, String start) {
        StringBuilder text = new StringBuilder(start.contains("mark") ? "\uFEFF" : "");
        if (start.endsWith("header")) {
            text.append("id,name,note").append(lineEnd);
        }
        for (int i = 0; i < ROWS; i++) {
            text.append(i)
                    .append(",n")
                    .append(i % 7 == 0 ? "" : "\"\"".repeat(i % 3))
                    .append(',')
                    .append(lineEnd);
        }
        return write(folder.resolve("rows.csv"), text.toString());
    }

    private static List<String> expected() {
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            rows.add(i + (i % 7 != 0 && i % 3 == 2 ? "|n\"|NULL" : "|n|NULL"));
        }
        return rows;
    }
}
