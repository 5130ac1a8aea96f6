package io.chunkroll.sources.tsbs;

import static io.chunkroll.sources.csv.CsvReading.forEach;
import static io.chunkroll.sources.csv.CsvReading.range;
import static io.chunkroll.sources.csv.CsvReading.restored;
import static io.chunkroll.sources.csv.CsvReading.show;
import static io.chunkroll.sources.csv.CsvReading.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chunkroll.sources.files.BadRowException;
import io.chunkroll.sources.files.SourceException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TsbsSourceTest {
    private static final String HEADER = """
            tags,hostname string,rack int64
            cpu,user,system

            """;
    private static final String ROWS = """
            tags,hostname=host_0,rack=6
            cpu,1451606400000000000,58,2.5
            tags,hostname=host_1,rack=
            cpu,1451606400000000000,,24
            tags,rack=7,hostname=höst,color=re"d\\,size=,x=y=z
            cpu,1451606410000000000,1e3,
            """;
    private static final List<String> EXPECTED = List.of(
            "2016-01-01T00:00:00Z|host_0|6|NULL|58.0|2.5",
            "2016-01-01T00:00:00Z|host_1|NULL|NULL|NULL|24.0",
            "2016-01-01T00:00:10Z|höst|7|{\"color\":\"re\\\"d\\\\\",\"size\":null,\"x\":\"y=z\"}|1000.0|NULL");

    @TempDir
    Path folder;

    private Path file(String content) {
        return write(folder.resolve("data.tsbs"), content);
    }

    private static TsbsOptions options(Path file) {
        return new TsbsOptions(file.toString(), "", false);
    }

    private static List<String> read(TsbsSource source, FileSourceSplit... splits) {
        List<String> rows = new ArrayList<>();
        List<FileSourceSplit> all = splits.length > 0
                ? List.of(splits)
                : List.copyOf(source.splitMaker().enumerateSplits(new org.apache.flink.core.fs.Path[0], 1));
        for (FileSourceSplit split : all) {
            forEach(source.format(source.columns()), split, row -> rows.add(show(row.getRecord(), source.columns())));
        }
        return rows;
    }

    private static List<String> read(TsbsOptions options) {
        return read(TsbsSource.plan(options));
    }

    @Test
    void readsTagsAndValuesInTheTypesOfTheHeader() {
        TsbsSource source = TsbsSource.plan(options(file(HEADER + ROWS)));
        assertThat(source.measurement()).isEqualTo("cpu");
        assertThat(source.columns())
                .hasToString("time timestamp with time zone, hostname text, rack bigint, additional_tags jsonb,"
                        + " user double precision, system double precision");
        assertThat(read(source)).isEqualTo(EXPECTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n"})
    void everyCutAndEveryRestartGivesEveryRowOnce(String lineEnd) throws IOException {
        Path file = file((HEADER + ROWS).replace("\n", lineEnd));
        TsbsSource source = TsbsSource.plan(options(file));
        long size = Files.size(file);
        for (long cut = 1; cut < size; cut++) {
            assertThat(read(source, range(file, 0, cut), range(file, cut, size)))
                    .as("cut at %d", cut)
                    .isEqualTo(EXPECTED);
        }
        for (int length : new int[] {1, 7, 50, 100}) {
            assertThat(read(TsbsSource.plan(options(file), length))).isEqualTo(EXPECTED);
        }
        List<Long> next = new ArrayList<>();
        forEach(source.format(source.columns()), range(file, 0, size), row -> next.add(row.getOffset()));
        for (int done = 1; done < next.size(); done++) {
            assertThat(read(source, restored(range(file, 0, size), next.get(done - 1))))
                    .isEqualTo(EXPECTED.subList(done, EXPECTED.size()));
        }
    }

    @Test
    void theLastLineNeedsNoEndAndEmptyLinesMayFollow() {
        assertThat(read(options(file((HEADER + ROWS).stripTrailing())))).isEqualTo(EXPECTED);
        assertThat(read(options(file(HEADER + ROWS + "\n\n")))).isEqualTo(EXPECTED);
        assertThat(read(options(file(HEADER)))).isEmpty();
    }

    @Test
    void packedFilesAreRead() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write((HEADER + ROWS).getBytes(StandardCharsets.UTF_8));
        }
        Path file = write(folder.resolve("data.gz"), packed.toByteArray());
        assertThat(read(TsbsSource.plan(options(file), 10))).isEqualTo(EXPECTED);
    }

    @Test
    void oneOfSeveralMeasurementsIsLoaded() {
        Path file = file("""
                tags,name string,load_capacity float32
                readings,latitude,velocity
                diagnostics,fuel_state

                tags,name=truck_0,load_capacity=1500
                readings,1451606400000000000,72.45,3
                tags,name=truck_0,load_capacity=1500
                diagnostics,1451606400000000000,0.5
                """);
        assertThatThrownBy(() -> TsbsSource.plan(options(file)))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("several measurements")
                .hasMessageContaining("readings, diagnostics");
        assertThatThrownBy(() -> TsbsSource.plan(new TsbsOptions(file.toString(), "cpu", false)))
                .hasMessageContaining("source.tsbs.measurement is cpu");
        TsbsSource source = TsbsSource.plan(new TsbsOptions(file.toString(), "diagnostics", false));
        List<String> rows = read(source);
        assertThat(rows).hasSize(1);
        assertThat(rows.get(0)).startsWith("2016-01-01T00:00:00Z|truck_0|").endsWith("|NULL|0.5");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "tags,hostname=a,rack=1; the line of values behind the line of tags is missing",
                "tags,hostname=a,rack=1/cpu,1,2,3/cpu,1,2,3; 2 lines are behind the line of tags, 1 expected",
                "tags,hostname=a,rack=1/cpu,1,2; a time and 2 values are expected, but there are 2 fields",
                "tags,hostname=a,rack=1/cpu,1,2,3,4; but there are 4 fields",
                "tags,hostname=a,rack=1/mem,1,2; the header names no measurement mem",
                "tags,hostname=a,rack/cpu,1,2,3; a tag is not written as NAME=VALUE",
                "tags,hostname=a,rack=one/cpu,1,2,3; column [rack]",
                "tags,hostname=a,rack=1/cpu,now,2,3; column [time]",
                "tags,hostname=a,rack=1/cpu,1,2,x; column [system]",
                "cpu,1,2,3; a line of tags is missing",
            })
    void aBadRowIsSetAsideOrFailsTheLoad(String row, String reason) {
        String bad = row.replace('/', '\n');
        boolean first = bad.startsWith("cpu");
        String good = "tags,hostname=b,rack=2\ncpu,1451606400000000000,1,2\n";
        Path file = file(HEADER + (first ? bad + "\n" + good : good + bad + "\n" + good));
        long line = first ? 4 : 6;
        List<String> rows = read(TsbsSource.plan(new TsbsOptions(file.toString(), "", true)));
        assertThat(rows).hasSize(first ? 2 : 3);
        String reject = rows.get(first ? 0 : 1);
        assertThat(reject)
                .startsWith("REJECT at " + (HEADER + (first ? "" : good)).length() + " line " + line)
                .contains(reason)
                .endsWith(" row " + bad);
        assertThatThrownBy(() -> read(options(file)))
                .isInstanceOf(BadRowException.class)
                .hasMessageContaining("data.tsbs at byte ")
                .hasMessageContaining("line " + line);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "time,host/1,2//; does not begin with 'tags,'",
                "tags,hostname=host_0/cpu,1,2//; no empty line ends the header",
                "tags,hostname string/cpu,a; no empty line ends the header",
                "tags,hostname uuid/cpu,a//; has the type 'uuid'",
                "tags,hostname string//; no line names a measurement",
            })
    void aFileOfAnotherFormatIsToldAsOne(String text, String reason) {
        Path file = file(text.replace('/', '\n'));
        assertThatThrownBy(() -> TsbsSource.plan(options(file)))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("is no TSBS file")
                .hasMessageContaining(reason);
    }

    @Test
    void filesMustHaveTheSameHeader() {
        write(folder.resolve("a.tsbs"), HEADER + ROWS);
        write(folder.resolve("b.tsbs"), HEADER.replace("user", "usr") + ROWS);
        assertThatThrownBy(() -> read(options(folder))).hasMessageContaining("b.tsbs has another header");
    }
}
