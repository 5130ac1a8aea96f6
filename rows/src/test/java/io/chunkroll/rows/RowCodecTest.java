package io.chunkroll.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowCodecTest {
    private static final List<ColumnType> BINARY = List.of(
            ColumnType.BOOL,
            ColumnType.INT2,
            ColumnType.INT4,
            ColumnType.INT8,
            ColumnType.FLOAT4,
            ColumnType.FLOAT8,
            ColumnType.NUMERIC,
            ColumnType.TEXT,
            ColumnType.VARCHAR,
            ColumnType.CHAR,
            ColumnType.DATE,
            ColumnType.TIMESTAMP,
            ColumnType.TIMESTAMPTZ,
            ColumnType.UUID,
            ColumnType.JSON,
            ColumnType.JSONB);
    private static final String[] TEXTS = {
        "true",
        "-32768",
        "2147483647",
        "-9223372036854775808",
        "1.5e-45",
        "0.1",
        "-12345678901234567890.1230",
        "größer, \"😀\"",
        "",
        "c ",
        "0044-03-15 BC",
        "2016-01-03 00:00:10.000001",
        "1969-12-31 23:59:59.999999+00",
        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
        "{\"a\": 1}",
        "[]"
    };

    private static TableDescription everyType() {
        return Rows.table(BINARY.toArray(ColumnType[]::new)).withRoles(12, 7);
    }

    private static Tuple tuple(TableDescription table, String... texts) throws BadValueException {
        return Rows.encode(new RowEncoder(table, ParseOptions.DEFAULT), texts).copy();
    }

    private static Tuple encode(ColumnType type, Object value) throws BadValueException {
        return new RowCodec(Rows.table(type)).encode(Row.of(value), new Tuple());
    }

    private static Tuple parsed(ColumnType type, String text) throws BadValueException {
        return tuple(Rows.table(type), text);
    }

    private static void assertRefused(ColumnType type, Object value, String... words) {
        assertThatExceptionOfType(BadValueException.class)
                .isThrownBy(() -> encode(type, value))
                .withMessageContaining("column \"a\"")
                .satisfies(e -> assertThat(e.getMessage()).contains(words));
    }

    @Test
    void aRowHasEachColumnByNameAndPlace() throws BadValueException {
        Row row = new RowCodec(everyType()).decode(tuple(everyType(), TEXTS));

        assertThat(row.getArity()).isEqualTo(BINARY.size());
        assertThat(row.getFieldNames(true)).startsWith("a", "b", "c").hasSize(BINARY.size());
        List<Object> values = List.of(
                true,
                Short.MIN_VALUE,
                Integer.MAX_VALUE,
                Long.MIN_VALUE,
                Float.MIN_VALUE,
                0.1,
                new BigDecimal("-12345678901234567890.1230"),
                "größer, \"😀\"",
                "",
                "c ",
                LocalDate.of(-43, 3, 15),
                LocalDateTime.of(2016, 1, 3, 0, 0, 10, 1_000),
                Instant.parse("1969-12-31T23:59:59.999999Z"),
                UUID.fromString("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
                "{\"a\": 1}",
                "[]");
        for (int i = 0; i < values.size(); i++) {
            assertThat(row.getField(i)).isEqualTo(values.get(i));
            assertThat(row.getField(String.valueOf((char) ('a' + i)))).isEqualTo(values.get(i));
        }
    }

    @Test
    void aRowThatIsPassedOnIsTheSameTuple() throws BadValueException {
        Tuple tuple = tuple(everyType(), TEXTS);
        RowCodec codec = new RowCodec(everyType());

        assertThat(codec.encode(codec.decode(tuple), tuple)).isEqualTo(tuple);
        Tuple nulls = tuple(everyType(), new String[BINARY.size()]);
        assertThat(codec.encode(codec.decode(nulls), nulls)).isEqualTo(nulls);
        assertThat(codec.decode(nulls).getField("a")).isNull();
    }

    @Test
    void infinitiesAndWhatIsNoNumberComeBackAsTheyWere() throws BadValueException {
        TableDescription table = Rows.table(
                ColumnType.DATE,
                ColumnType.TIMESTAMP,
                ColumnType.TIMESTAMPTZ,
                ColumnType.NUMERIC,
                ColumnType.FLOAT4,
                ColumnType.FLOAT8);
        RowCodec codec = new RowCodec(table);
        for (String sign : List.of("", "-")) {
            String text = sign + "infinity";
            Tuple tuple = tuple(table, text, text, text, text, text, text);
            assertThat(codec.encode(codec.decode(tuple), tuple)).isEqualTo(tuple);
        }
        Tuple none = tuple(table, null, null, null, "NaN", "NaN", "NaN");
        assertThat(codec.encode(codec.decode(none), none)).isEqualTo(none);
        assertThat(encode(ColumnType.TIMESTAMPTZ, OffsetDateTime.MAX))
                .isEqualTo(parsed(ColumnType.TIMESTAMPTZ, "infinity"));
    }

    @Test
    void changedTimeKeyAndOriginAreNoted() throws BadValueException {
        TableDescription table = everyType();
        RowEncoder encoder = new RowEncoder(table, ParseOptions.DEFAULT);
        Rows.encode(encoder, TEXTS);
        Origin origin = new Origin("a.csv", 17, 3, "as it came".getBytes(StandardCharsets.UTF_8));
        Tuple from = encoder.end(origin).copy();
        RowCodec codec = new RowCodec(table);
        Row row = codec.decode(from);
        row.setField("m", Instant.parse("2016-01-01T00:00:00Z"));
        row.setField("h", "other");

        Tuple changed = codec.encode(row, from);

        assertThat(changed.time()).isEqualTo(1_451_606_400_000_000L);
        assertThat(new String(changed.bytes(), changed.keyOffset(), changed.keyLength(), StandardCharsets.UTF_8))
                .isEqualTo("other");
        assertThat(changed.keyHash()).isNotEqualTo(from.keyHash());
        Origin kept = Origin.decode(changed.bytes(), changed.length(), changed.length() + changed.originLength());
        assertThat(kept).usingRecursiveComparison().isEqualTo(origin);
    }

    @Test
    void otherNumbersAndTimesThatFitAreTaken() throws BadValueException {
        assertThat(encode(ColumnType.INT2, 7L)).isEqualTo(parsed(ColumnType.INT2, "7"));
        assertThat(encode(ColumnType.INT8, new BigInteger("9223372036854775807")))
                .isEqualTo(parsed(ColumnType.INT8, "9223372036854775807"));
        assertThat(encode(ColumnType.FLOAT8, 3)).isEqualTo(parsed(ColumnType.FLOAT8, "3"));
        assertThat(encode(ColumnType.FLOAT4, 0.1)).isEqualTo(parsed(ColumnType.FLOAT4, "0.1"));
        assertThat(encode(ColumnType.NUMERIC, 0.1)).isEqualTo(parsed(ColumnType.NUMERIC, "0.1"));
        assertThat(encode(ColumnType.NUMERIC, new BigDecimal("1E+3"))).isEqualTo(parsed(ColumnType.NUMERIC, "1000"));
        assertThat(encode(ColumnType.NUMERIC, Long.MIN_VALUE))
                .isEqualTo(parsed(ColumnType.NUMERIC, "-9223372036854775808"));
        assertThat(encode(
                        ColumnType.TIMESTAMPTZ,
                        LocalDateTime.parse("2016-07-01T00:00").atZone(ZoneId.of("Europe/Berlin"))))
                .isEqualTo(parsed(ColumnType.TIMESTAMPTZ, "2016-06-30 22:00:00+00"));
        assertThat(encode(ColumnType.TIMESTAMPTZ, Instant.parse("1999-12-31T23:59:59.999999999Z")))
                .isEqualTo(parsed(ColumnType.TIMESTAMPTZ, "1999-12-31 23:59:59.999999+00"));
    }

    @Test
    void whatAColumnCannotHoldIsRefused() {
        assertRefused(ColumnType.INT4, "1", "java.lang.String", "int4", "Integer");
        assertRefused(ColumnType.INT4, 1.0, "java.lang.Double");
        assertRefused(ColumnType.INT2, 32_768, "32768 is out of range for int2");
        assertRefused(ColumnType.INT8, new BigInteger("9223372036854775808"), "out of range");
        assertRefused(ColumnType.FLOAT4, 1e300, "1.0E300 is out of range");
        assertRefused(ColumnType.BOOL, 1, "Boolean");
        assertRefused(ColumnType.TEXT, 1, "String");
        assertRefused(ColumnType.TEXT, "a\0b", "NUL");
        assertRefused(ColumnType.TEXT, "\ud83d", "surrogate");
        assertRefused(ColumnType.UUID, "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "UUID");
        assertRefused(ColumnType.DATE, Instant.EPOCH, "LocalDate");
        assertRefused(ColumnType.DATE, LocalDate.of(6_000_000, 1, 1), "out of range");
        assertRefused(ColumnType.TIMESTAMP, Instant.EPOCH, "LocalDateTime");
        assertRefused(ColumnType.TIMESTAMPTZ, LocalDateTime.MIN, "Instant");
        assertRefused(ColumnType.TIMESTAMPTZ, Instant.parse("+300000-01-01T00:00:00Z"), "out of range");
    }

    @Test
    void aRowOfNamesHasThoseOfTheTable() throws BadValueException {
        RowCodec codec = new RowCodec(Rows.table(ColumnType.INT4, ColumnType.TEXT));
        Row row = Row.withNames();
        row.setField("b", "x");
        row.setField("a", 1);
        assertThat(codec.encode(row, new Tuple()))
                .isEqualTo(codec.encode(Row.of(1, "x"), new Tuple()).copy());

        row.setField("c", 1);
        assertThatExceptionOfType(BadValueException.class)
                .isThrownBy(() -> codec.encode(row, new Tuple()))
                .withMessageContaining("\"c\"")
                .withMessageContaining("[a, b]");
        Row incomplete = Row.withNames();
        incomplete.setField("a", 1);
        assertThatExceptionOfType(BadValueException.class)
                .isThrownBy(() -> codec.encode(incomplete, new Tuple()))
                .withMessageContaining("lacks the column \"b\"");
    }

    @Test
    void aRowOfOtherSizeOrKindIsRefused() {
        RowCodec codec = new RowCodec(Rows.table(ColumnType.INT4, ColumnType.TEXT));
        assertThatExceptionOfType(BadValueException.class)
                .isThrownBy(() -> codec.encode(Row.of(1), new Tuple()))
                .withMessageContaining("1 fields")
                .withMessageContaining("2: [a, b]");
        assertThatExceptionOfType(BadValueException.class)
                .isThrownBy(() -> codec.encode(Row.ofKind(RowKind.DELETE, 1, "x"), new Tuple()))
                .withMessageContaining("DELETE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2016-01-01 00:00:00+00", "2016-01-01T01:00:00+01:00"})
    void aTableThatGoesAsTextHasTexts(String time) throws BadValueException {
        TableDescription table = Rows.table(ColumnType.TIMESTAMPTZ, ColumnType.OTHER, ColumnType.INT4)
                .withRoles(0, TableDescription.NONE);
        Tuple tuple = tuple(table, time, "{1,2}", null);
        RowCodec codec = new RowCodec(table);
        Row row = codec.decode(tuple);

        assertThat(row.getField("b")).isEqualTo("{1,2}");
        assertThat(row.getField("c")).isNull();
        assertThat(codec.encode(row, tuple)).isEqualTo(tuple);
        row.setField("c", 1);
        assertThatExceptionOfType(BadValueException.class)
                .isThrownBy(() -> codec.encode(row, tuple))
                .withMessageContaining("column \"c\"")
                .withMessageContaining("String");
    }
}
