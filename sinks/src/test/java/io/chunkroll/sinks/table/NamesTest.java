package io.chunkroll.sinks.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chunkroll.rows.Index;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of tables, columns and indexes, as they are read and as statements get them. */
class NamesTest {

    @ParameterizedTest
    @CsvSource({
        "cpu,            '',      cpu,     \"cpu\"",
        "public.cpu,     public,  cpu,     \"public\".\"cpu\"",
        "Weird Name,     '',      Weird Name, \"Weird Name\"",
        "s.a.b,          s,       a.b,     \"s\".\"a.b\"",
    })
    void tableNamesAreSplitAtTheFirstDot(String text, String schema, String name, String sql) {
        TableName table = TableName.parse(text);
        assertThat(table).isEqualTo(new TableName(schema, name));
        assertThat(table.sql()).isEqualTo(sql);
        assertThat(table).hasToString(text);
    }

    @Test
    void quotesCannotBeEscapedFrom() {
        assertThat(TableName.parse("Robert\"); drop table x;--").sql()).isEqualTo("\"Robert\"\"); drop table x;--\"");
        assertThat(Identifiers.quote("a\"\"b")).isEqualTo("\"a\"\"\"\"b\"");
        assertThat(Identifiers.literal("it's")).isEqualTo("'it''s'");
        assertThatThrownBy(() -> Identifiers.quote("a\0b")).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "schema."})
    void aNameCannotBeEmpty(String text) {
        assertThatThrownBy(() -> TableName.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPartitionsNameIsCutToWhatPostgresKeeps() {
        TableName sibling = TableName.parse("s." + "ä".repeat(40)).sibling("_p20160103T000000");
        assertThat(sibling.schema()).isEqualTo("s");
        assertThat(sibling.name()).startsWith("ää").endsWith("_p20160103T000000");
        assertThat(sibling).isNotEqualTo(TableName.parse("s." + "ä".repeat(41)).sibling("_p20160103T000000"));
        assertThat(sibling.name().getBytes(StandardCharsets.UTF_8)).hasSizeBetween(62, 63);
        assertThat(TableName.parse("cpu").sibling("_p1").name()).isEqualTo("cpu_p1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hostname, time desc      | (\"hostname\", \"time\" DESC)",
                " time ASC                | (\"time\")",
                "Time   DESC              | (\"Time\" DESC)",
                "desc                     | (\"desc\")",
                "desc desc                | (\"desc\" DESC)",
                "weird name desc          | (\"weird name\" DESC)",
                "a\"); drop table x;--    | (\"a\"\"); drop table x;--\")",
            })
    void indexesAreReadAsSqlHasThem(String text, String columns) {
        assertThat(TableMaker.indexSql(TableName.parse("s.t"), Index.parse(text)))
                .isEqualTo("CREATE INDEX ON \"s\".\"t\" " + columns);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unique hostname, time desc | CREATE UNIQUE INDEX ON \"s\".\"t\" (\"hostname\", \"time\" DESC)",
                "UNIQUE  a                  | CREATE UNIQUE INDEX ON \"s\".\"t\" (\"a\")",
                "unique desc, a             | CREATE INDEX ON \"s\".\"t\" (\"unique\" DESC, \"a\")",
                "unique                     | CREATE INDEX ON \"s\".\"t\" (\"unique\")",
                "unique, a                  | CREATE INDEX ON \"s\".\"t\" (\"unique\", \"a\")",
            })
    void anIndexMayBeUnique(String text, String sql) {
        Index index = Index.parse(text);
        assertThat(TableMaker.indexSql(TableName.parse("s.t"), index)).isEqualTo(sql);
        assertThat(Index.parse(index.toString())).isEqualTo(index);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "a,", "a,,b", "unique a,"})
    void anIndexNeedsItsColumns(String text) {
        assertThatThrownBy(() -> Index.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }

    @Test
    void passwordsInAUrlAreNotShown() {
        ConnectionOptions options =
                new ConnectionOptions("jdbc:postgresql://db/x?user=u&password=secret", "me", "secret");
        assertThat(options).hasToString("jdbc:postgresql://db/x as me");
        assertThat(ConnectionOptions.masked("jdbc:postgresql://me:secret@db/x?sslpassword=secret&user=u"))
                .isEqualTo("jdbc:postgresql://******@db/x?sslpassword=******&user=u");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:postgresql://db:port/x?password=secret", "jdbc:postgresql://me:secret@db/x"})
    void norAreThoseInAUrlThatTheDriverCannotRead(String url) {
        ConnectionOptions options = new ConnectionOptions(url, "me", null);
        assertThatThrownBy(() -> options.connect("test"))
                .hasMessageContaining("cannot read this URL")
                .hasMessageNotContaining("secret");
        assertThat(options.toString()).doesNotContain("secret");
    }

    @Test
    void partitionsCoverWholeSeconds() {
        for (Duration wrong : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1), Duration.ofMillis(1_500)}) {
            assertThatThrownBy(() -> new PartitionMaker(null, wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(wrong.toString());
        }
    }
}
