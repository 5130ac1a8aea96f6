package io.chunkroll.job.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {
    private static final String OLD_HEADER =
            "time,elapsed_s,phase,rows,rows_per_s,bytes_per_s,flush_p50_ms,flush_p99_ms,chunks,wal_bytes,server_cpu,"
                    + "client_cpu,disk_write_bytes";
    private static final String HEADER = OLD_HEADER + ",table_bytes,index_bytes";
    private static final TimelinePoint UNMEASURED = new TimelinePoint(
            Instant.parse("2026-01-02T03:04:06Z"),
            1.00049,
            TimelinePoint.LOAD,
            12_000_000_000L,
            12e9,
            OptionalDouble.empty(),
            OptionalDouble.of(0),
            OptionalDouble.of(Double.NaN),
            OptionalLong.empty(),
            OptionalLong.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalLong.of(0),
            OptionalLong.empty(),
            OptionalLong.of(8192));

    @TempDir
    Path folder;

    @Test
    void writesEachRowAtOnceAndLeavesWhatWasNotMeasuredEmpty() throws IOException {
        Path file = folder.resolve(Timeline.FILE);
        try (TimelineWriter writer = TimelineWriter.create(folder)) {
            assertThat(file).hasContent(HEADER + "\n");
            writer.append(UNMEASURED);
            assertThat(Files.readString(file))
                    .isEqualTo(HEADER + "\n2026-01-02T03:04:06Z,1,load,12000000000,12000000000,,0,,,,,,0,,8192\n");
        }
    }

    @Test
    void readsWhatItWrote() throws IOException {
        Timeline written = SyntheticRun.of("a", 5, 0.5, second -> 1000).timeline();
        try (TimelineWriter writer = TimelineWriter.create(folder)) {
            for (TimelinePoint point : written.points()) {
                writer.append(point);
            }
        }
        assertThat(Timeline.read(folder)).isEqualTo(written);
    }

    @Test
    void readsATimelineOfAVersionThatKnewNoSizes() throws IOException {
        Files.writeString(folder.resolve(Timeline.FILE), OLD_HEADER + "\n2026-01-02T03:04:06Z,1,load,5,5,,,,3,,,,77\n");

        assertThat(Timeline.read(folder).points()).singleElement().satisfies(point -> {
            assertThat(point.diskWriteBytes()).hasValue(77);
            assertThat(point.tableBytes()).isEmpty();
            assertThat(point.indexBytes()).isEmpty();
        });
    }

    @Test
    void leavesOutALineCutOffByTheEndOfTheProcess() throws IOException {
        Path run = SyntheticRun.of("a", 5, 1, second -> 1000).write(folder);
        Files.writeString(run.resolve(Timeline.FILE), "2026-01-02T03:04", StandardOpenOption.APPEND);

        assertThat(Timeline.read(run).points()).hasSize(5);
    }

    @Test
    void namesFileAndLineOfADamagedTimeline() throws IOException {
        Files.writeString(folder.resolve(Timeline.FILE), HEADER + "\n\n2026-01-02T03:04:06Z,x,load,1,1,,,,,,,,,,\n");
        assertThatThrownBy(() -> Timeline.read(folder))
                .isInstanceOf(ReportException.class)
                .hasMessageContaining(Timeline.FILE + ", line 3")
                .hasMessageContaining("\"x\"");

        Files.writeString(folder.resolve(Timeline.FILE), HEADER + "\n1,2,3\n");
        assertThatThrownBy(() -> Timeline.read(folder)).hasMessageContaining("line 2: 3 cells instead of 15");

        Files.writeString(folder.resolve(Timeline.FILE), "time,rows\n");
        assertThatThrownBy(() -> Timeline.read(folder)).hasMessageContaining("lacks the columns elapsed_s, phase");
    }

    @Test
    void readsARun() throws IOException {
        RunFolder run = SyntheticRun.of("my-run", 60, 1, second -> 1000)
                .chunksEvery(20)
                .fields("\"later\": [1, 2]")
                .read(folder);

        assertThat(run.summary().name()).isEqualTo("my-run");
        assertThat(run.summary().startedAt()).contains("2026-01-02T03:04:05Z");
        assertThat(run.summary().whole("rows_written")).hasValue(60_000);
        assertThat(run.summary().whole("retries")).isEmpty();
        assertThat(run.summary().decimal("client_cpu_seconds")).isEmpty();
        assertThat(run.summary().decimal("flush_ms.p99")).hasValue(132.5);
        assertThat(run.summary().setting("sink.layout")).contains("hypertable");
        assertThat(run.summary().setting("sink.on-conflict")).isEmpty();
        assertThat(run.summary().environment()).containsEntry("server.shared_buffers", "32MB");
        assertThat(run.summary().allRowsInTable()).contains(true);
        assertThat(run.timeline().points()).hasSize(60);
        assertThat(run.chunkRolls()).hasSize(3).last().satisfies(roll -> {
            assertThat(roll.elapsedSeconds()).isEqualTo(40);
            assertThat(roll.chunk()).isEqualTo("_hyper_1_3_chunk");
            assertThat(roll.rangeStart()).isEqualTo("2016-01-01T01:06:40Z");
        });
    }

    @Test
    void saysWhatIsMissing() throws IOException {
        assertThatThrownBy(() -> RunFolder.read(folder.resolve("none"))).hasMessageContaining("is not a folder");
        assertThatThrownBy(() -> RunFolder.read(folder))
                .isInstanceOf(ReportException.class)
                .hasMessageEndingWith("it has no run.json and no timeline.csv");

        Path run = SyntheticRun.of("a", 5, 1, second -> 1000).write(folder);
        Files.delete(run.resolve(RunFolder.SUMMARY_FILE));
        assertThatThrownBy(() -> RunFolder.read(run)).hasMessageEndingWith("it has no run.json");
    }

    @Test
    void refusesWhatItCannotUnderstand() throws IOException {
        Path run = SyntheticRun.of("a", 5, 1, second -> 1000).write(folder);
        assertRefused(run, "{\"format_version\": 2}", "format version 2, and this chunkroll reads up to 1");
        assertRefused(run, "{}", "no format_version");
        assertRefused(run, "[]", "does not hold a JSON object");
        assertRefused(run, "{\"format", "Cannot read");
        assertRefused(run, "{\"format_version\": 1, \"chunk_rolls\": [{\"chunk\": \"c\"}]}", "without elapsed_s");
        assertRefused(
                run, "{\"format_version\": 1, \"chunk_rolls\": [{\"elapsed_s\": 1, \"time\": 1}]}", "ISO instant");
    }

    private static void assertRefused(Path run, String json, String reason) throws IOException {
        Files.writeString(run.resolve(RunFolder.SUMMARY_FILE), json);
        assertThatThrownBy(() -> RunFolder.read(run))
                .isInstanceOf(ReportException.class)
                .hasMessageContaining(reason)
                .hasMessageContaining(RunFolder.SUMMARY_FILE);
    }

    @Test
    void callsARunWithoutNameAfterItsFolder() throws IOException {
        Path run = SyntheticRun.of("a-folder", 5, 1, second -> 1000)
                .fields("\"name\": null, \"chunk_rolls\": null, \"settings\": null")
                .write(folder);

        RunSummary summary = RunFolder.read(run).summary();
        assertThat(summary.name()).isEqualTo("a-folder");
        assertThat(summary.settings()).isEmpty();
    }
}
