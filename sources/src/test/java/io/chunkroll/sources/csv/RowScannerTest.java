package io.chunkroll.sources.csv;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.sources.csv.RowScanner.Fault;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The rules are those of COPY … CSV. */
class RowScannerTest {
    private static final CsvDialect BACKSLASH = new CsvDialect(',', '"', '\\', "");

    @Test
    void plainFields() {
        assertThat(fields("a,b,c\nnext\n")).containsExactly("a", "b", "c");
        assertThat(fields("a,,\n")).containsExactly("a", "NULL", "NULL");
        assertThat(fields(",\n")).containsExactly("NULL", "NULL");
        assertThat(fields("\n")).containsExactly("NULL");
        assertThat(fields("Zürich,東京\n")).containsExactly("Zürich", "東京");
    }

    @Test
    void quotedFields() {
        assertThat(fields("\"a,b\",\"\"\n")).containsExactly("a,b", "");
        assertThat(fields("\"say \"\"hi\"\"\",x\n")).containsExactly("say \"hi\"", "x");
        assertThat(fields("\"\"\"\",x\n")).containsExactly("\"", "x");
        assertThat(fields("x,\"\"\"\"\"\"\n")).containsExactly("x", "\"\"");
        assertThat(fields("\"a\nb\",c\n")).containsExactly("a\nb", "c");
        assertThat(fields("\"a\r\nb\"\r\n")).containsExactly("a\r\nb");
    }

    @Test
    void quotesInTheMidstOfAFieldCountToo() {
        assertThat(fields("ab\"c,d\"e,f\n")).containsExactly("abc,de", "f");
        assertThat(fields("\"ab\"c,f\n")).containsExactly("abc", "f");
        assertThat(fields("\"a\"\"b\"c\"d\"\n")).containsExactly("a\"bcd");
        assertThat(fields("a\"\",b\n")).containsExactly("a", "b");
    }

    @Test
    void lineEnds() {
        assertThat(fields("a,b\r\n")).containsExactly("a", "b");
        assertThat(fields("a,\r\n")).containsExactly("a", "NULL");
        assertThat(fields("\r\n")).containsExactly("NULL");
        assertThat(fields("a\rb,\rc\n")).containsExactly("a\rb", "\rc");
        assertThat(fields("\"a\",\"b\"\r\n")).containsExactly("a", "b");
        assertThat(fields("\"a\"\"\"\r\n")).containsExactly("a\"");
        assertThat(fields("a\"b\"\r\n")).containsExactly("ab");
        assertThat(fields("\"a\"\r,b\n")).containsExactly("a\r", "b");
    }

    @Test
    void aMissingLastLineEnd() {
        assertThat(fields("a,b")).containsExactly("a", "b");
        assertThat(fields("a,\"b\"")).containsExactly("a", "b");
        assertThat(fields("a,\"b\"\"\"")).containsExactly("a", "b\"");
        assertThat(fields("a,")).containsExactly("a", "NULL");
    }

    @Test
    void anEscapeOtherThanTheQuote() {
        assertThat(fields(BACKSLASH, "\"a\\\"b\",\"c\\\\\",\"d\\e\"\n")).containsExactly("a\"b", "c\\", "d\\e");
        assertThat(fields(BACKSLASH, "a\\,b\n")).containsExactly("a\\", "b");
        assertThat(fields(BACKSLASH, "\"a\"\"b\",c\n")).containsExactly("ab", "c");
    }

    @Test
    void otherMarks() {
        assertThat(fields(CsvDialect.DEFAULT.withDelimiter('\t'), "a,b\t\"c\td\"\t\n"))
                .containsExactly("a,b", "c\td", "NULL");
        assertThat(fields(CsvDialect.DEFAULT.withDelimiter('|'), "a{|~|b\n")).containsExactly("a{", "~", "b");
        assertThat(fields(new CsvDialect(',', CsvDialect.NO_QUOTE, '"', ""), "\"a,b\"\n"))
                .containsExactly("\"a", "b\"");
    }

    @Test
    void theTextForNullIsComparedUnquoted() {
        CsvDialect dialect = CsvDialect.DEFAULT.withNullText("NA");

        assertThat(fields(dialect, "NA,\"NA\",,NAN\n")).containsExactly("NULL", "NA", "", "NAN");
    }

    @Test
    void openQuotes() {
        RowScanner lines = new RowScanner(CsvDialect.DEFAULT, true, 5);
        byte[] bytes = "a,\"b\nc,d\n".getBytes(StandardCharsets.UTF_8);

        assertThat(lines.scan(bytes, 0, bytes.length)).isEqualTo(5);
        assertThat(lines.fault()).isEqualTo(Fault.NEWLINE_IN_QUOTES);
        assertThat(lines.scan(bytes, 5, bytes.length)).isEqualTo(9);
        assertThat(lines.fault()).isEqualTo(Fault.NONE);

        RowScanner rows = new RowScanner(CsvDialect.DEFAULT, false, 5);
        byte[] withSentinel = "a,\"b\nc,d\n\n".getBytes(StandardCharsets.UTF_8);
        rows.scan(withSentinel, 0, withSentinel.length - 1);
        assertThat(rows.fault()).isEqualTo(Fault.END_IN_QUOTES);
    }

    @Test
    void fieldsBeyondThoseKeptAreCounted() {
        RowScanner row = new RowScanner(CsvDialect.DEFAULT, true, 2);
        byte[] bytes = "a,b,c,\"d\"\n".getBytes(StandardCharsets.UTF_8);

        row.scan(bytes, 0, bytes.length);

        assertThat(row.count()).isEqualTo(4);
        assertThat(row.contentEnd()).isEqualTo(bytes.length - 1);
    }

    /** If the two disagreed, a block would end in the midst of a row. */
    @Test
    void tracksQuotesJustAsRowsAreScanned() {
        Random random = new Random(1);
        for (CsvDialect dialect : List.of(CsvDialect.DEFAULT, BACKSLASH)) {
            for (int i = 0; i < 200_000; i++) {
                byte[] bytes = random.ints(random.nextInt(1, 24), 0, 6)
                        .mapToObj(index -> "a,\"\\\n\r".substring(index, index + 1))
                        .reduce("", String::concat)
                        .concat("\n")
                        .getBytes(StandardCharsets.UTF_8);
                int limit = bytes.length - 1;
                int rowsEnd = Math.max(new QuoteTracker(dialect).walk(bytes, 0, limit), 0);
                RowScanner row = new RowScanner(dialect, false, 30);
                int lastEnd = 0;
                for (int at = 0; at < limit; ) {
                    at = row.scan(bytes, at, limit);
                    lastEnd = at <= limit ? at : lastEnd;
                }
                assertThat(lastEnd)
                        .as(() -> new String(bytes, StandardCharsets.UTF_8))
                        .isEqualTo(rowsEnd);
            }
        }
    }

    private static List<String> fields(String text) {
        return fields(CsvDialect.DEFAULT, text);
    }

    private static List<String> fields(CsvDialect dialect, String text) {
        byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
        RowScanner row = new RowScanner(dialect, false, 10);
        row.scan(bytes, 0, bytes.length - 1);
        assertThat(row.fault()).isEqualTo(Fault.NONE);
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < row.count(); i++) {
            byte[] data = new byte[bytes.length];
            int length = row.unescape(bytes, i, data);
            fields.add(
                    switch (row.kind(i)) {
                        case RowScanner.PLAIN -> row.isNull(bytes, i) ? "NULL" : slice(bytes, row.from(i), row.to(i));
                        case RowScanner.QUOTED -> slice(bytes, row.from(i), row.to(i));
                        default -> slice(data, 0, length);
                    });
        }
        return fields;
    }

    private static String slice(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }
}
