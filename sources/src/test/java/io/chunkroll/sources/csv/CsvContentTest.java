package io.chunkroll.sources.csv;

import static io.chunkroll.sources.csv.CsvReading.TABLE;
import static io.chunkroll.sources.csv.CsvReading.read;
import static io.chunkroll.sources.csv.CsvReading.restored;
import static io.chunkroll.sources.csv.CsvReading.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.chunkroll.rows.Origin;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sources.csv.CsvOptions.OnBadRow;
import io.chunkroll.sources.csv.CsvOptions.QuotedNewlines;
import io.chunkroll.sources.csv.CsvReading.Row;
import io.chunkroll.sources.files.BadRowException;
import io.chunkroll.sources.files.BlockReader;
import io.chunkroll.sources.files.SourceException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compressed files, line ends within quotes, and rows that cannot be loaded. */
class CsvContentTest {
    @TempDir
    private Path folder;

    @Test
    void packedFilesAreToldByTheirFirstBytesAndMayHaveSeveralMembers() throws IOException {
        byte[] gzip = concat(gzip("id,name,note\n1,a,b\n2,c"), gzip(",d\n3,e,f"));
        byte[] zstd = concat(zstd("id,name,note\n1,a,b\n2,c"), zstd(",d\n3,e,f"));

        for (byte[] packed : List.of(gzip, zstd)) {
            CsvOptions options =
                    CsvOptions.of(write(folder.resolve("in.csv"), packed).toString());
            assertThat(read(options, TABLE, 4)).containsExactly("1|a|b", "2|c|d", "3|e|f");
        }
    }

    /** A stream that never says whether more is available, as remote ones do, and members that end at a buffer's end. */
    @Test
    void noMemberOfAPackedFileIsLost() throws IOException {
        int members = 10_000;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < members; i++) {
            bytes.write(gzip(i + ",a,b\n"));
        }
        Path file = write(folder.resolve("in.csv.gz"), bytes.toByteArray());
        GatedFileSystem.closeGateAt(Long.MAX_VALUE);

        assertThat(read(CsvOptions.of(GatedFileSystem.SCHEME + "://" + file))).hasSize(members);
    }

    @Test
    void aRowLongerThanTheLimitIsRefused() throws IOException {
        Path file = folder.resolve("in.csv.gz");
        byte[] part = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("1,a,b\n2,\"".getBytes(StandardCharsets.UTF_8));
            for (long size = 0; size <= BlockReader.longestRow(); size += part.length) {
                out.write(part);
            }
        }

        assertThatThrownBy(() -> read(CsvOptions.of(file.toString())))
                .hasMessageContaining("in.csv.gz: The row at byte 6 is longer than")
                .hasMessageContaining("Is a quote left open there?");
    }

    @Test
    void packedFilesGoOnAtEveryPosition() throws IOException {
        String text = "id,name,note\n1,a,b\n2,\"c\nc\",d\n3,e,f";
        for (byte[] packed : List.of(gzip(text), zstd(text))) {
            CsvSource source = CsvSource.plan(
                    CsvOptions.of(write(folder.resolve("in.csv"), packed).toString()), TABLE);
            FileSourceSplit split = CsvReading.splits(source).iterator().next();
            List<Row> rows = read(source, split);

            assertThat(rows).extracting(Row::text).containsExactly("1|a|b", "2|c\nc|d", "3|e|f");
            for (int i = 0; i < rows.size(); i++) {
                assertThat(read(source, restored(split, rows.get(i).next())))
                        .isEqualTo(rows.subList(i + 1, rows.size()));
            }
        }
    }

    @Test
    void aPackedFileThatBreaksOffFailsAndIsNamed() throws IOException {
        byte[] gzip = gzip("id,name,note\n" + "1,a,b\n".repeat(1000));
        CsvOptions options = CsvOptions.of(write(folder.resolve("in.csv.gz"), Arrays.copyOf(gzip, gzip.length - 12))
                .toString());

        assertThatThrownBy(() -> read(options)).hasMessageContaining("in.csv.gz");
    }

    /** The JDK's own stream takes these for the file's end. */
    @Test
    void whatFollowsAMemberOfAPackedFileAndIsNoneFailsAndIsNamed() throws IOException {
        byte[] first = gzip("id,name,note\n" + "1,a,b\n".repeat(1000));
        byte[] damaged = gzip("2,c,d\n".repeat(1000));
        damaged[0] ^= 1;
        byte[] wrongSum = gzip("2,c,d\n".repeat(1000));
        wrongSum[wrongSum.length - 6] ^= 1;
        for (byte[] rest :
                List.of(damaged, wrongSum, new byte[] {7}, new byte[100], "garbage".getBytes(StandardCharsets.UTF_8))) {
            CsvOptions options = CsvOptions.of(
                    write(folder.resolve("in.csv.gz"), concat(first, rest)).toString());
            assertThatThrownBy(() -> read(options)).hasMessageContaining("in.csv.gz");
        }
    }

    @Test
    void aFileWithLineEndsInQuotesIsNotCut() {
        String text = "1,a,b\n".repeat(100) + "2,\"c\n\",d\n" + "3,e,f\n".repeat(100);
        CsvOptions options = CsvOptions.of(write(folder.resolve("in.csv"), text).toString());

        assertThat(CsvReading.splits(CsvSource.plan(options, TABLE, 64))).hasSize(1);
        assertThat(read(options, TABLE, 64)).hasSize(201).contains("2|c\n|d");
        assertThat(CsvReading.splits(CsvSource.plan(options.withQuotedNewlines(QuotedNewlines.NO), TABLE, 64)))
                .hasSizeGreaterThan(10);
    }

    /** The file is made to look as if it had been probed in vain. */
    @Test
    void aLineEndInQuotesInAFileThatWasCutFailsTheLoad() {
        String text = "1,a,b\n".repeat(100) + "2,\"c\n\",d\n" + "3,e,f\n".repeat(100);
        Path file = write(folder.resolve("in.csv"), text);
        CsvSource source = CsvSource.plan(CsvOptions.of(file.toString()).withOnBadRow(OnBadRow.REJECT), TABLE);

        for (long cut = 1; cut < text.length(); cut++) {
            FileSourceSplit first = CsvReading.range(file, 0, cut);
            FileSourceSplit second = CsvReading.range(file, cut, text.length());
            assertThatThrownBy(() -> {
                        read(source, first);
                        read(source, second);
                    })
                    .isInstanceOf(SourceException.class)
                    .hasMessageContaining("in.csv: the row at byte 600")
                    .hasMessageContaining("source.csv.quoted-newlines yes");
        }
    }

    @Test
    void withoutQuotedNewlinesAnOpenQuoteSpoilsOneRow() {
        CsvOptions options = options("id,name,note\n1,\"a,b\n2,c,d\n")
                .withQuotedNewlines(QuotedNewlines.NO)
                .withOnBadRow(OnBadRow.REJECT);

        assertThat(read(options))
                .containsExactly("REJECT at 13 line 2 column [] unterminated CSV quoted field row 1,\"a,b", "2|c|d");
    }

    @Test
    void withQuotedNewlinesAnOpenQuoteSpoilsTheRest() {
        CsvOptions options = options("id,name,note\n1,\"a,b\n2,c,d\n").withOnBadRow(OnBadRow.REJECT);

        assertThat(read(options))
                .containsExactly("REJECT at 13 line 2 column [] unterminated CSV quoted field row 1,\"a,b\n2,c,d\n");
    }

    @Test
    void badRowsAreSetAside() {
        CsvOptions options = options("1,a,b\r\n2,c\r\n\r\n3,d,e,f\r\nx4,g,h\r\n5,\"i\ni\",j\r\n6\r\n")
                .withOnBadRow(OnBadRow.REJECT);

        assertThat(read(options))
                .satisfiesExactly(
                        row -> assertThat(row).isEqualTo("1|a|b"),
                        row -> assertThat(row)
                                .isEqualTo("REJECT at 7 line 2 column [note] missing data for column \"note\": 2 of 3"
                                        + " fields row 2,c"),
                        row -> assertThat(row)
                                .isEqualTo("REJECT at 12 line 3 column [id] missing data for column \"id\": the line is"
                                        + " empty row "),
                        row -> assertThat(row)
                                .isEqualTo("REJECT at 14 line 4 column [] extra data after last expected column: 4"
                                        + " fields, 3 expected row 3,d,e,f"),
                        row -> assertThat(row)
                                .startsWith("REJECT at 23 line 5 column [id] ")
                                .endsWith(" row x4,g,h"),
                        row -> assertThat(row).isEqualTo("5|i\ni|j"),
                        row -> assertThat(row).startsWith("REJECT at 42 line 8 column [name] missing data"));
    }

    /** The server may refuse what could be read. */
    @Test
    void whereBadRowsAreSetAsideGoodOnesTellWhereTheyCameFrom() {
        Path file = write(folder.resolve("in.csv"), "id,name,note\r\n1,a,b\r\n2,\"x\n\"\"y\",c\r\n3,d,");
        CsvSource source = CsvSource.plan(CsvOptions.of(file.toString()).withOnBadRow(OnBadRow.REJECT), TABLE);

        List<String> origins = new ArrayList<>();
        for (FileSourceSplit split : CsvReading.splits(source)) {
            CsvReading.forEach(source.format(), split, row -> {
                Tuple tuple = row.getRecord();
                Origin origin = Origin.decode(tuple.bytes(), tuple.length(), tuple.length() + tuple.originLength());
                origins.add(origin.file() + " at " + origin.offset() + " line " + origin.line() + " row "
                        + new String(origin.row(), StandardCharsets.UTF_8));
            });
        }
        assertThat(origins)
                .containsExactly(
                        file + " at 14 line 2 row 1,a,b",
                        file + " at 21 line 3 row 2,\"x\n\"\"y\",c",
                        file + " at 34 line 5 row 3,d,");
    }

    @Test
    void whereBadRowsFailTheLoadRowsCarryNothingButThemselves() {
        CsvSource source = CsvSource.plan(options("1,a,b\n2,c,d\n"), TABLE);
        for (FileSourceSplit split : CsvReading.splits(source)) {
            CsvReading.forEach(
                    source.format(),
                    split,
                    row -> assertThat(row.getRecord().originLength()).isZero());
        }
    }

    @Test
    void aBadRowFailsTheLoadAndTellsEverything() {
        CsvOptions options = options("id,name,note\n1,a,b\nx\u0001,\"c\nd\"," + "e".repeat(500) + "\n");

        assertThatThrownBy(() -> read(options))
                .isInstanceOf(BadRowException.class)
                .hasMessageContaining("in.csv at byte 19, line 3, column id: ")
                .hasMessageContaining("The row: [x\\u0001,\"c\\nd\",eee")
                .hasMessageContaining("… (509 bytes)")
                .hasMessageContaining("source.on-bad-row reject");
    }

    @Test
    void aFirstRowThatMayBeAHeaderIsToldSo() {
        assertThatThrownBy(() -> read(options("a,b,c\n1,a,b\n")))
                .isInstanceOf(BadRowException.class)
                .hasMessageContaining("source.csv.header yes");
    }

    @Test
    void linesAreNotToldOfAPieceOrAfterAFailure() {
        String text = "1,a,b\n".repeat(50) + "x,c,d\n";
        Path file = write(folder.resolve("in.csv"), text);
        CsvOptions options = CsvOptions.of(file.toString()).withOnBadRow(OnBadRow.REJECT);
        CsvSource source = CsvSource.plan(options, TABLE);

        assertThat(read(options, TABLE, 64)).last().asString().contains("at 300 line 0");
        assertThat(read(source, restored(CsvReading.range(file, 0, text.length()), 6)))
                .last()
                .extracting(Row::text)
                .asString()
                .contains("at 300 line 0");
        assertThat(read(options)).last().asString().contains("at 300 line 51");
    }

    @Test
    void marksThatCannotBeToldApartAreRefused() {
        assertThatThrownBy(() -> new CsvDialect('"', '"', '"', ""))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("source.csv.delimiter");
        assertThatThrownBy(() -> new CsvDialect('é', '"', '"', ""))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("U+00E9");
        assertThatThrownBy(() -> CsvDialect.DEFAULT.withNullText("a,b"))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("source.csv.null");
    }

    private CsvOptions options(String content) {
        return CsvOptions.of(write(folder.resolve("in.csv"), content).toString());
    }

    private static byte[] gzip(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] zstd(String text) {
        return Zstd.compress(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] concat(byte[] first, byte[] second) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(first);
        bytes.write(second);
        return bytes.toByteArray();
    }
}
