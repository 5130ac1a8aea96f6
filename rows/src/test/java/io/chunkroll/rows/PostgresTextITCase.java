package io.chunkroll.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chunkroll.server.TestDatabase;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every type's parser against the server's own, on the values in {@code src/test/resources/values}. A text is either stored alike by
 * both or refused by both; the last argument of a comparison lists what PostgreSQL takes and we refuse on purpose.
 */
@Timeout(120)
class PostgresTextITCase {
    private TestDatabase database;

    @TempDir
    private Path folder;

    @BeforeEach
    void open() {
        database = TestDatabase.create();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void compare(ColumnType type, String sqlType, List<String> texts, String... refusedHere) throws Exception {
        compareBytes(type, sqlType, "UTC", bytes(texts), Set.of(refusedHere));
    }

    private void compareBytes(ColumnType type, String sqlType, String zone, List<byte[]> texts, Set<String> refusedHere)
            throws Exception {
        new CopyComparison(database, folder, type, sqlType, zone).run(texts, refusedHere);
    }

    private static List<byte[]> bytes(List<String> texts) {
        return texts.stream().map(text -> text.getBytes(UTF_8)).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "TIMESTAMPTZ, UTC",
        "TIMESTAMPTZ, Europe/Berlin",
        "TIMESTAMPTZ, America/Santiago",
        "TIMESTAMP,   UTC",
        "DATE,        UTC",
    })
    void times(ColumnType type, String zone) throws Exception {
        List<String> refusedHere = Values.read("times-refused.txt");
        List<String> texts = Values.read("times.txt");
        texts.addAll(refusedHere);
        compareBytes(type, type.name(), zone, bytes(texts), Set.copyOf(refusedHere));
    }

    @ParameterizedTest
    @CsvSource({"INT2", "INT4", "INT8"})
    void integers(ColumnType type) throws Exception {
        compare(type, type.name(), Values.read("integers.txt"));
    }

    @ParameterizedTest
    @CsvSource({"FLOAT4", "FLOAT8"})
    void floats(ColumnType type) throws Exception {
        List<String> texts = Values.read("floats.txt");
        texts.add("1".repeat(400));
        texts.add("0." + "0".repeat(400) + "1");
        texts.add("1" + "0".repeat(308));
        texts.add("0." + "3".repeat(1_000));
        compare(type, type.name(), texts);
    }

    private static List<String> numerics() throws Exception {
        List<String> texts = Values.read("numerics.txt");
        texts.add("9".repeat(200) + "." + "9".repeat(200));
        texts.add("0".repeat(140_000) + "1");
        texts.add("0." + "0".repeat(16_000) + "12345");
        texts.add("7".repeat(100_000) + "." + "7".repeat(10_000));
        return texts;
    }

    @Test
    void numeric() throws Exception {
        compare(ColumnType.NUMERIC, "numeric", numerics());
    }

    /** With more than 16,383 digits behind the point, which PostgreSQL drops before it counts them. */
    @Test
    void numericWithPrecisionAndScale() throws Exception {
        compare(
                ColumnType.NUMERIC,
                "numeric(5,2)",
                numerics(),
                "1e-1073741823",
                "1e-16384",
                "1e-20000",
                "0e-16384",
                "0e-20000");
    }

    @Test
    void randomNumerics() throws Exception {
        Random random = new Random(20160103);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            BigDecimal value = new BigDecimal(new BigInteger(1 + random.nextInt(200), random), random.nextInt(80) - 20);
            BigDecimal signed = random.nextBoolean() ? value : value.negate();
            texts.add(random.nextBoolean() ? signed.toPlainString() : signed.toString());
        }
        compare(ColumnType.NUMERIC, "numeric", texts);
    }

    @Test
    void bool() throws Exception {
        compare(ColumnType.BOOL, "boolean", Values.read("bools.txt"));
    }

    @Test
    void uuid() throws Exception {
        compare(ColumnType.UUID, "uuid", Values.read("uuids.txt"));
    }

    @ParameterizedTest
    @CsvSource({"TEXT, text", "VARCHAR, varchar(3)", "CHAR, char(3)"})
    void texts(ColumnType type, String sqlType) throws Exception {
        List<String> valid = Values.read("texts.txt");
        valid.add("x".repeat(1 << 20));
        valid.add("ä".repeat(1 << 19));
        List<byte[]> texts = new ArrayList<>(bytes(valid));
        // NUL, lone and missing continuations, overlong forms, surrogates, code points beyond the last.
        for (String hex :
                ("00 610062 80 bf 61c3 c3 c361 c0af c1bf c3a4a4 e0809f e09fbf e0a080 e282 e28261 eda080 ed9fbf edbfbf ee8080 "
                                + "f0808080 f08fbfbf f0908080 f09f98 f48fbfbf f4908080 f5808080 f888808080 ff fe")
                        .split(" ")) {
            texts.add(HexFormat.of().parseHex(hex));
        }
        compareBytes(type, sqlType, "UTC", texts, Set.of());
    }

    @ParameterizedTest
    @CsvSource({"JSON", "JSONB"})
    void jsons(ColumnType type) throws Exception {
        List<String> texts = Values.read("jsons.txt");
        texts.add("[" + "1,".repeat(1_000) + "1]");
        compare(type, type.name(), texts);
    }
}
