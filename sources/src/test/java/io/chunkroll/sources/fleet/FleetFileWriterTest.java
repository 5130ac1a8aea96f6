package io.chunkroll.sources.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FleetFileWriterTest {
    private static final FleetFileWriter.Progress SILENT = (rows, bytes) -> {};
    /** Three blocks, the last of them cut short. */
    private static final FleetOptions FLEET = Fleets.cpu(2L * BlockMaker.MOST_BLOCK_ROWS + 777, 100);

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"cpu.csv", "cpu.csv.gz", "cpu.csv.zst"})
    void theBytesDoNotDependOnTheNumberOfThreads(String name) throws IOException {
        byte[] one = write(name, 1, false);
        assertThat(write(name, 2, false)).isEqualTo(one);
        assertThat(write(name, 5, false)).isEqualTo(one);
    }

    private byte[] write(String name, int threads, boolean header) throws IOException {
        Path file = folder.resolve(name);
        new FleetFileWriter(FLEET, new OutputFile(file), FleetFileFormat.CSV, header, threads).write(SILENT);
        assertThat(files()).containsExactly(file);
        return Files.readAllBytes(file);
    }

    @Test
    void theRowsAreThoseOfTheFleetInOrder() throws IOException {
        List<String> lines = new String(write("cpu.csv", 2, false), StandardCharsets.UTF_8)
                .lines()
                .toList();
        assertThat(lines).hasSize((int) FLEET.rows());
        List<String> hosts = Rows.all(FLEET).stream().map(Rows::host).toList();
        assertThat(lines.stream().map(line -> line.split(",")[1])).isEqualTo(hosts);
        double[] last = Rows.metrics(Rows.all(FLEET).get(lines.size() - 1));
        String[] fields = lines.get(lines.size() - 1).split(",");
        assertThat(Stream.of(fields).skip(2).map(Double::parseDouble))
                .containsExactlyElementsOf(Arrays.stream(last).boxed().toList());
    }

    @Test
    void compressedFilesHoldTheSameTextWithAHeaderOnRequest() throws IOException {
        String plain = new String(write("cpu.csv", 2, true), StandardCharsets.UTF_8);
        Files.delete(folder.resolve("cpu.csv"));
        assertThat(plain).startsWith("time,hostname,usage_user,").contains("usage_guest_nice\n2016-01-01 00:00:00+00,");

        write("cpu.csv.gz", 2, true);
        try (InputStream in = new GZIPInputStream(Files.newInputStream(folder.resolve("cpu.csv.gz")))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(plain);
        }
        Files.delete(folder.resolve("cpu.csv.gz"));
        write("cpu.csv.zst", 2, true);
        try (InputStream in = new ZstdInputStream(Files.newInputStream(folder.resolve("cpu.csv.zst")))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(plain);
        }
    }

    @Test
    void progressEndsWithAllRowsAndTheFilesSize() throws IOException {
        Path file = folder.resolve("cpu.csv");
        List<Long> rows = new ArrayList<>();
        List<Long> bytes = new ArrayList<>();
        new FleetFileWriter(FLEET, file, false).write((r, b) -> {
            rows.add(r);
            bytes.add(b);
        });
        assertThat(rows).containsExactly(8_192L, 16_384L, FLEET.rows());
        assertThat(bytes).isSorted().endsWith(Files.size(file));
    }

    @Test
    void aMissingFolderIsAClearError() {
        Path file = folder.resolve("none/cpu.csv");
        assertThatThrownBy(() -> new FleetFileWriter(FLEET, file, false).write(SILENT))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(file.toString(), "its folder does not exist");
        assertThatThrownBy(() -> new FleetFileWriter(FLEET, folder, false).write(SILENT))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("it is a folder");
    }

    @Test
    void afterAFailureTheOldFileIsStillThereAndNothingElse() throws IOException {
        Path file = Files.writeString(folder.resolve("cpu.csv"), "old");
        OutputFile output = new OutputFile(file);
        assertThatThrownBy(() -> output.write(sink -> {
                    sink.write(new byte[5_000]);
                    throw new IOException("No space left on device");
                }))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll(file.toString(), "5000 bytes", "No space left on device");
        assertThat(files()).containsExactly(file);
        assertThat(file).hasContent("old");
    }

    @Test
    void aFailingProgressLeavesNoHalfFile() throws IOException {
        assertThatThrownBy(() -> new FleetFileWriter(FLEET, folder.resolve("cpu.csv"), false).write((rows, bytes) -> {
                    throw new IllegalStateException("enough");
                }))
                .hasMessage("enough");
        assertThat(files()).isEmpty();
    }

    @Test
    void anInterruptEndsTheWritingAndLeavesNothing() throws IOException {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> new FleetFileWriter(FLEET, folder.resolve("cpu.csv"), false).write(SILENT))
                    .isInstanceOf(IOException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void aFullDeviceIsReportedAndTheDeviceStaysWhatItIs() {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full));
        assertThatThrownBy(() -> new FleetFileWriter(FLEET, full, false).write(SILENT))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No space left on device");
        assertThat(Files.isRegularFile(full)).isFalse();
        assertThat(Path.of("/dev/full.part")).doesNotExist();
    }

    @Test
    void rowsWithoutEndAreNoFile() {
        assertThatThrownBy(() -> new FleetFileWriter(Fleets.cpu(0, 1), folder.resolve("cpu.csv"), false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("source.rows");
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
