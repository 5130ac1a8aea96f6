package io.chunkroll.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RowTextTest {

    private static String show(TableDescription table, String... texts) throws BadValueException {
        RowEncoder encoder = new RowEncoder(table, ParseOptions.DEFAULT);
        Tuple row = Rows.encode(encoder, texts);
        return new RowText(table).of(row.bytes(), 0);
    }

    @Test
    void showsEveryType() throws BadValueException {
        TableDescription table = Rows.table(
                ColumnType.BOOL,
                ColumnType.INT2,
                ColumnType.INT4,
                ColumnType.INT8,
                ColumnType.FLOAT4,
                ColumnType.FLOAT8,
                ColumnType.NUMERIC,
                ColumnType.TEXT,
                ColumnType.DATE,
                ColumnType.TIMESTAMP,
                ColumnType.TIMESTAMPTZ,
                ColumnType.UUID,
                ColumnType.JSONB);
        assertThat(show(
                        table,
                        "true",
                        "-1",
                        "2",
                        "9223372036854775807",
                        "1.5",
                        "0.1",
                        "12.30",
                        "a, \"b\"",
                        "1999-12-31",
                        "2016-01-03 00:00:10",
                        "2016-01-03 00:00:00.5+01",
                        "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
                        "{}"))
                .isEqualTo("t,-1,2,9223372036854775807,1.5,0.1,12.30,\"a, \"\"b\"\"\",1999-12-31,2016-01-03 00:00:10,"
                        + "2016-01-02 23:00:00.5+00,a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11,{}");
    }

    @Test
    void anEmptyTextIsNotANull() throws BadValueException {
        assertThat(show(Rows.table(ColumnType.TEXT, ColumnType.TEXT, ColumnType.INT4), "", null, "1"))
                .isEqualTo("\"\",,1");
    }

    @Test
    void infinitiesAndTheEndsOfTimeAreShown() throws BadValueException {
        assertThat(show(
                        Rows.table(ColumnType.TIMESTAMPTZ, ColumnType.DATE, ColumnType.TIMESTAMP),
                        "-infinity",
                        "infinity",
                        "294276-12-31 23:59:59.999999"))
                .isEqualTo("-infinity,infinity,+294276-12-31 23:59:59.999999");
    }

    @Test
    void fieldsThatTravelAsTextAreShownAsTheyAre() throws BadValueException {
        assertThat(show(Rows.table(ColumnType.OTHER, ColumnType.INT4), "{1,2}", "007"))
                .isEqualTo("\"{1,2}\",007");
    }
}
