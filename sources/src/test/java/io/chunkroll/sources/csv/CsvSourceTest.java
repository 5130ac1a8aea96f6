package io.chunkroll.sources.csv;

import static io.chunkroll.sources.csv.CsvReading.ID;
import static io.chunkroll.sources.csv.CsvReading.NAME;
import static io.chunkroll.sources.csv.CsvReading.TABLE;
import static io.chunkroll.sources.csv.CsvReading.read;
import static io.chunkroll.sources.csv.CsvReading.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.sources.csv.CsvOptions.Header;
import io.chunkroll.sources.files.SourceException;
import io.chunkroll.sources.files.SplitMaker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files are read, and which field goes into which column. */
class CsvSourceTest {
    @TempDir
    private Path folder;

    @Test
    void aHeaderDecidesColumnsAndTheirOrder() {
        CsvOptions options = options("a.csv", "NOTE,Id\nn,1\n");

        CsvSource source = CsvSource.plan(options, TABLE);

        assertThat(source.table().columns()).containsExactly(CsvReading.NOTE, ID);
        assertThat(source.table().keyColumn()).isEqualTo(TableDescription.NONE);
        assertThat(read(options)).containsExactly("n|1");
    }

    @Test
    void withoutHeaderFieldsGoIntoColumnsInTheTablesOrder() {
        assertThat(read(options("a.csv", "1,a,b\n2,c,d"))).containsExactly("1|a|b", "2|c|d");
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstField() {
        assertThat(read(options("a.csv", "\uFEFFid,name,note\n1,a,b\n"))).containsExactly("1|a|b");
        assertThat(read(options("b.csv", "\uFEFF1,a,b\n"))).containsExactly("1|a|b");
        assertThat(read(options("c.csv", "\uFEFF"))).isEmpty();
    }

    @Test
    void aHeaderMayBeQuoted() {
        assertThat(read(options("a.csv", "\"id\",\"name\",\"note\"\r\n1,a,b\r\n")))
                .containsExactly("1|a|b");
    }

    @Test
    void anUnknownNameInTheHeaderIsRefusedWithBothLists() {
        assertThatThrownBy(() -> CsvSource.plan(options("a.csv", "id,nam,notes\n1,a,b\n"), TABLE))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("a.csv")
                .hasMessageContaining("does not have: nam, notes")
                .hasMessageContaining("first line: id, nam, notes")
                .hasMessageContaining("columns: id, name, note")
                .hasMessageContaining("source.csv.columns");
    }

    @Test
    void aNameTwiceIsRefused() {
        assertThatThrownBy(() -> CsvSource.plan(options("a.csv", "id,ID\n1,2\n"), TABLE))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("the header names the column ID twice");
    }

    @Test
    void withoutHeaderTheFieldCountMustFitTheTable() {
        assertThatThrownBy(() -> CsvSource.plan(options("a.csv", "1,a\n"), TABLE))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("has 2 fields")
                .hasMessageContaining("3 columns are to be loaded");
    }

    @Test
    void explicitColumnsOverrideTheHeaderAndMaySkip() {
        CsvOptions options = options("a.csv", "id,x,name\n1,junk,a\n").withColumns(List.of("id", "-", "note"));

        assertThat(CsvSource.plan(options, TABLE).table().columns()).containsExactly(ID, CsvReading.NOTE);
        assertThat(read(options)).containsExactly("1|a");
    }

    @Test
    void explicitColumnsNameAHeaderlessFile() {
        assertThat(read(options("a.csv", "a,1\n").withColumns(List.of("name", "id"))))
                .containsExactly("a|1");
    }

    @Test
    void explicitColumnsMustBeTheTables() {
        assertThatThrownBy(() -> read(options("a.csv", "a,1\n").withColumns(List.of("name", "di"))))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("source.csv.columns names columns that the table does not have: di");
        assertThatThrownBy(() -> read(options("a.csv", "a,1\n").withColumns(List.of("-", "-"))))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("at least one");
    }

    @Test
    void aHeaderIsSkippedOrReadAsToldWhateverItHolds() {
        String content = "name,note\nx,y\n";
        CsvOptions options = options("a.csv", content).withColumns(List.of("name", "note"));

        assertThat(read(options.withHeader(Header.NO))).containsExactly("name|note", "x|y");
        assertThat(read(options.withHeader(Header.YES))).containsExactly("x|y");
    }

    @Test
    void eachFileIsMappedByItsOwnHeader() {
        write(folder.resolve("in/a.csv"), "id,name\n1,a\n");
        write(folder.resolve("in/b.csv"), "name,id\nb,2\n");
        write(folder.resolve("in/c.csv"), "3,c\n");

        assertThat(read(CsvOptions.of(folder.resolve("in").toString()))).containsExactly("1|a", "2|b", "3|c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"id,note\n1,x\n", "id,name,note\n1,a,b\n", "id\n1\n"})
    void aFurtherFileMustHaveTheSameColumns(String content) {
        write(folder.resolve("in/a.csv"), "id,name\n1,a\n");
        write(folder.resolve("in/b.csv"), content);

        assertThatThrownBy(() -> read(CsvOptions.of(folder.resolve("in").toString())))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("b.csv: its header");
    }

    @Test
    void filesAreReadInTheOrderOfTheirNames() {
        write(folder.resolve("in/2.csv"), "2,a,b\n");
        write(folder.resolve("in/10.csv"), "10,a,b\n");
        write(folder.resolve("in/sub/1.csv"), "3,a,b\n");
        write(folder.resolve("in/.hidden"), "junk\n");
        write(folder.resolve("in/_SUCCESS"), "");
        write(folder.resolve("in/0empty.csv"), "");

        assertThat(read(CsvOptions.of(folder.resolve("in").toString()))).containsExactly("10|a|b", "2|a|b", "3|a|b");
    }

    @Test
    void aGlobMatchesNamesOfFoldersAndFiles() {
        write(folder.resolve("in-1/a.csv"), "1,a,b\n");
        write(folder.resolve("in-2/a.csv"), "2,a,b\n");
        write(folder.resolve("in-2/a.txt"), "junk\n");
        write(folder.resolve("out/a.csv"), "junk\n");

        assertThat(read(CsvOptions.of(folder.resolve("in-*/?.{csv,tsv}").toString())))
                .containsExactly("1|a|b", "2|a|b");
    }

    @Test
    void aNameWithWildcardsIsTakenAsItStands() {
        assertThat(read(options("a[1].csv", "1,a,b\n"))).containsExactly("1|a|b");
    }

    @Test
    void noFileIsAnError() {
        for (String path : List.of("nowhere.csv", "*.csv", "no/where/*.csv")) {
            assertThatThrownBy(() -> read(CsvOptions.of(folder.resolve(path).toString())))
                    .isInstanceOf(SourceException.class)
                    .hasMessageContaining("source.path")
                    .hasMessageContaining(path);
        }
    }

    @Test
    void emptyFilesHoldNoRows() {
        CsvSource source = CsvSource.plan(options("a.csv", ""), TABLE);

        assertThat(source.table().columns()).isEqualTo(TABLE.columns());
        assertThat(CsvReading.splits(source)).isEmpty();
        assertThat(read(options("b.csv", "id,name\n"))).isEmpty();
        assertThat(read(options("c.csv", "id,name"))).isEmpty();
    }

    @Test
    void utf16IsRefused() {
        write(folder.resolve("a.csv"), "\uFEFFid,name".getBytes(StandardCharsets.UTF_16LE));

        assertThatThrownBy(() -> read(CsvOptions.of(folder.resolve("a.csv").toString())))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("UTF-16");
    }

    @Test
    void aOneColumnTableTakesAnEmptyLineForNull() {
        TableDescription names = new TableDescription(List.of(NAME), TableDescription.NONE, 0);

        assertThat(read(options("a.csv", "name\n\na\n\r\n\"\"\n"), names, 0)).containsExactly("NULL", "a", "NULL", "");
    }

    @Test
    void splitsGrowWithTheFiles() {
        assertThat(SplitMaker.splitBytes(1L << 40)).isEqualTo((1L << 40) / 10_000);
        assertThat(SplitMaker.splitBytes(1000)).isEqualTo(8L << 20);
    }

    private CsvOptions options(String name, String content) {
        return CsvOptions.of(write(folder.resolve(name), content).toString());
    }
}
