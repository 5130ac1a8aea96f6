package io.chunkroll.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableDescriptionTest {
    private static final TableDescription TABLE = new TableDescription(
            List.of(
                    Rows.column("Host", ColumnType.TEXT),
                    Rows.column("time", ColumnType.TIMESTAMPTZ),
                    Rows.column("host", ColumnType.TEXT),
                    Rows.column("Load", ColumnType.FLOAT8)),
            1,
            2);

    @Test
    void findsTheExactNameFirst() {
        assertThat(TABLE.indexOf("Host")).isZero();
        assertThat(TABLE.indexOf("host")).isEqualTo(2);
        assertThat(TABLE.indexOf("LOAD")).isEqualTo(3);
        assertThat(TABLE.indexOf("none")).isEqualTo(TableDescription.NONE);
    }

    @Test
    void aSelectionKeepsTheRolesOfItsColumns() {
        TableDescription narrow = TABLE.select(List.of(3, 2, 1));
        assertThat(narrow.columns()).extracting(Column::name).containsExactly("Load", "host", "time");
        assertThat(narrow.timeColumn()).isEqualTo(2);
        assertThat(narrow.keyColumn()).isEqualTo(1);
        TableDescription without = TABLE.select(List.of(0));
        assertThat(without.timeColumn()).isEqualTo(TableDescription.NONE);
        assertThat(without.keyColumn()).isEqualTo(TableDescription.NONE);
    }

    @Test
    void oneColumnWithoutBinaryFormMakesItAllText() {
        assertThat(TABLE.isBinary()).isTrue();
        assertThat(Rows.table(ColumnType.INT4, ColumnType.OTHER).isBinary()).isFalse();
    }

    @Test
    void refusesRolesOfColumnsThatAreNotThere() {
        assertThatThrownBy(() -> TABLE.withRoles(4, 0))
                .hasMessageContaining("time")
                .hasMessageContaining("4");
        assertThatThrownBy(() -> TABLE.withRoles(0, -2))
                .hasMessageContaining("key")
                .hasMessageContaining("-2");
        assertThatThrownBy(() -> new TableDescription(List.of(), -1, -1)).hasMessageContaining("column");
    }

    @Test
    void readsAsSql() {
        assertThat(Rows.table(ColumnType.INT4, ColumnType.TEXT)).hasToString("a int4, b text");
    }

    @Test
    void typesAreKnownByTheirIdentifier() {
        assertThat(ColumnType.ofOid(1184)).isEqualTo(ColumnType.TIMESTAMPTZ);
        assertThat(ColumnType.ofOid(1007)).isEqualTo(ColumnType.OTHER);
        assertThat(ColumnType.ofOid(0)).isEqualTo(ColumnType.OTHER);
    }
}
