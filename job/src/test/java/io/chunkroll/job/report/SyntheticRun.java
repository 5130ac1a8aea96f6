package io.chunkroll.job.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;

/** A run nobody ran: its rate is a function of time, so what the report must find is known. */
final class SyntheticRun {
    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    private String name;
    private final List<TimelinePoint> points = new ArrayList<>();
    private final List<ChunkRoll> rolls = new ArrayList<>();
    private String layout = "plain";
    private String table = "cpu";
    private String moreFields = "";

    private SyntheticRun(String name) {
        this.name = name;
    }

    /** Falls and recovers with each of its four chunks. */
    static SyntheticRun hypertable() {
        return of("hypertable", 160, 1, sawtooth(40, 180_000, 100_000)).chunksEvery(40);
    }

    /** Takes as many rows as {@link #hypertable}, and sinks all the time. */
    static SyntheticRun plain() {
        return of("plain", 200, 1, second -> 184_000 - 720 * second);
    }

    /** A load whose rate, sampled in the middle of each period, is the function's value. */
    static SyntheticRun of(String name, double seconds, double period, DoubleUnaryOperator rate) {
        SyntheticRun run = new SyntheticRun(name);
        double rows = 0;
        int periods = (int) Math.round(seconds / period);
        for (int i = 1; i <= periods; i++) {
            double perSecond = rate.applyAsDouble((i - 0.5) * period);
            rows += perSecond * period;
            run.points.add(point(i * period, TimelinePoint.LOAD, Math.round(rows), perSecond));
        }
        return run;
    }

    /** Sinks straight from one rate to another in each chunk of so many seconds. */
    static DoubleUnaryOperator sawtooth(double chunkSeconds, double top, double bottom) {
        return second -> top - (top - bottom) * (second % chunkSeconds) / chunkSeconds;
    }

    static TimelinePoint point(double elapsed, String phase, long rows, double rate) {
        return new TimelinePoint(
                START.plusMillis(Math.round(elapsed * 1000)),
                elapsed,
                phase,
                rows,
                rate,
                OptionalDouble.of(rate * 150),
                OptionalDouble.of(40),
                OptionalDouble.of(rate > 0 ? 9_000_000 / rate : 0),
                OptionalLong.empty(),
                OptionalLong.of(rows * 310),
                OptionalDouble.of(elapsed * 0.9),
                OptionalDouble.empty(),
                OptionalLong.of(rows * 500),
                OptionalLong.of(rows * 134),
                OptionalLong.of(rows * 60));
    }

    SyntheticRun chunksEvery(double seconds) {
        layout = "hypertable";
        double end = points.get(points.size() - 1).elapsedSeconds();
        for (int i = 0; i * seconds < end; i++) {
            rolls.add(roll(i * seconds, "_hyper_1_" + (i + 1) + "_chunk", i));
        }
        return this;
    }

    SyntheticRun roll(double elapsed) {
        return roll(elapsed, rolls.size());
    }

    /** @param number which of the times that follow each other the chunk is for */
    SyntheticRun roll(double elapsed, int number) {
        layout = "hypertable";
        rolls.add(roll(elapsed, "chunk_at_" + elapsed, number));
        return this;
    }

    SyntheticRun point(TimelinePoint point) {
        points.add(point);
        return this;
    }

    SyntheticRun name(String newName) {
        name = newName;
        return this;
    }

    SyntheticRun table(String newTable) {
        table = newTable;
        return this;
    }

    /** Fields added to run.json, or in place of what it has. */
    SyntheticRun fields(String json) {
        moreFields = "," + json;
        return this;
    }

    Timeline timeline() {
        return new Timeline(points);
    }

    Sawtooth sawtooth() {
        return Sawtooth.of(timeline(), rolls);
    }

    private static ChunkRoll roll(double elapsed, String chunk, int number) {
        Instant from = Instant.parse("2016-01-01T00:00:00Z").plusSeconds(2000L * number);
        return new ChunkRoll(
                START.plusMillis(Math.round(elapsed * 1000)),
                elapsed,
                chunk,
                from.toString(),
                from.plusSeconds(2000).toString());
    }

    /** Writes the run's folder. */
    Path write(Path parent) throws IOException {
        Path folder = Files.createDirectories(parent.resolve(name.replaceAll("[^a-z0-9-]", "_")));
        Files.writeString(folder.resolve(RunFolder.SUMMARY_FILE), json());
        try (TimelineWriter writer = TimelineWriter.create(folder)) {
            for (TimelinePoint point : points) {
                writer.append(point);
            }
        }
        return folder;
    }

    RunFolder read(Path parent) throws IOException {
        return RunFolder.read(write(parent));
    }

    private String json() {
        TimelinePoint last = points.get(points.size() - 1);
        return """
                {"format_version": 1, "name": "%s", "started_at": "%s",
                 "settings": {"source.kind": "generated", "source.devices": 20000, "sink.kind": "copy", "sink.layout": "%s",
                   "sink.table": "%s", "sink.password": "******", "sink.on-conflict": null, "server.shared_buffers": "32MB"},
                 "environment": {"java": "17.0.1", "cores": 2, "server": {"version": "17.2", "shared_buffers": "32MB"}},
                 "rows_read": %d, "rows_written": %d, "rows_in_table": %d, "rows_rejected": 0, "seconds": %s,
                 "rows_per_second": %s, "flush_ms": {"p50": 41.2, "p90": 70, "p95": 80, "p99": 132.5, "max": 1500},
                 "chunks": %s, "wal_bytes": %d, "table_bytes": 1503238553, "index_bytes": 2147483648,
                 "server_cpu_seconds": %s, "client_cpu_seconds": null,
                 "chunk_rolls": [%s]%s}
                """.formatted(
                        name,
                        START,
                        layout,
                        table,
                        last.rows(),
                        last.rows(),
                        last.rows(),
                        last.elapsedSeconds(),
                        last.rows() / last.elapsedSeconds(),
                        rolls.isEmpty() ? "null" : rolls.size(),
                        last.rows() * 310,
                        last.elapsedSeconds() * 0.9,
                        rolls.stream().map(SyntheticRun::json).collect(Collectors.joining(",")),
                        moreFields);
    }

    private static String json(ChunkRoll roll) {
        return String.format(
                Locale.ROOT,
                "{\"time\": \"%s\", \"elapsed_s\": %s, \"chunk\": \"%s\", \"range_start\": \"%s\", \"range_end\": \"%s\"}",
                roll.time(),
                roll.elapsedSeconds(),
                roll.chunk(),
                roll.rangeStart(),
                roll.rangeEnd());
    }
}
