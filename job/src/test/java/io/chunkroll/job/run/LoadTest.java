package io.chunkroll.job.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.job.settings.Settings;
import io.chunkroll.rows.TableDescription;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By which column batches are sorted, and whether rows are divided among writers by it. */
class LoadTest {
    private static final String ROW = "2016-01-01 00:00:00+00,host_0,1,2,3,4,5,6,7,8,9,10\n";

    @TempDir
    Path folder;

    private static Load generated(String... more) {
        return load(Map.of("source.kind", "generated", "source.dataset", "cpu"), more);
    }

    private static Load load(Map<String, String> settings, String... more) {
        Map<String, String> texts = new LinkedHashMap<>(settings);
        texts.put("sink.kind", "discard");
        texts.put("job.parallelism", "2");
        for (int i = 0; i < more.length; i += 2) {
            texts.put(more[i], more[i + 1]);
        }
        return Load.discarding(Settings.ofLocalRun(texts));
    }

    private static String key(Load load) {
        int key = load.columns().keyColumn();
        return key == TableDescription.NONE
                ? "none"
                : load.columns().columns().get(key).name();
    }

    @Test
    void batchesAreSortedByTheDataSetsKeyEvenWhereRowsStayWithTheirReader() {
        assertThat(key(generated())).isEqualTo("hostname");
        assertThat(generated().divided()).isFalse();
        assertThat(key(generated("job.partition-by", "none"))).isEqualTo("hostname");
        assertThat(generated("job.partition-by", "none").divided()).isFalse();
        assertThat(key(generated("job.partition-by", "none", "sink.sort", "false")))
                .isEqualTo("none");
    }

    @Test
    void rowsAreDividedByTheColumnThatIsAskedFor() {
        assertThat(key(generated("job.partition-by", "usage_user"))).isEqualTo("usage_user");
        assertThat(generated("job.partition-by", "usage_user").divided()).isTrue();
    }

    /** Or one writer would have them all, while the others have nothing to do. */
    @Test
    void rowsOfAFileThatIsReadInOnePieceAreDivided() throws IOException {
        byte[] rows = ROW.repeat(300_000).getBytes(StandardCharsets.UTF_8);
        Path plain = Files.write(folder.resolve("rows.csv"), rows);
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(rows);
        }
        Path gzip = Files.write(folder.resolve("rows.csv.gz"), packed.toByteArray());

        assertThat(ofFile(plain).divided()).isFalse();
        assertThat(ofFile(gzip).divided()).isTrue();
        assertThat(ofFile(gzip, "job.partition-by", "none").divided()).isFalse();
    }

    private static Load ofFile(Path file, String... more) {
        return load(Map.of("source.kind", "csv", "source.dataset", "cpu", "source.path", file.toString()), more);
    }
}
