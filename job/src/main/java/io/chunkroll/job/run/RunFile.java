package io.chunkroll.job.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.chunkroll.job.report.ChunkRoll;
import io.chunkroll.job.report.RunFolder;
import io.chunkroll.job.report.TimelinePoint;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.apache.flink.runtime.util.EnvironmentInformation;

/** Puts together {@code run.json}. What was not measured is null, never 0. */
final class RunFile {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final ObjectNode root = JSON.createObjectNode();

    RunFile(String name, Load load, Instant startedAt) {
        root.put("format_version", RunFolder.FORMAT_VERSION);
        root.put("name", name);
        root.put("started_at", startedAt.toString());
        ObjectNode settings = root.putObject("settings");
        load.settings().texts().forEach(settings::put);
        settings.put("sink.table", load.settings().sink().table());
        settings.put("job.parallelism", String.valueOf(load.settings().job().parallelism()));
        load.table()
                .ifPresent(table ->
                        settings.put("sink.layout", table.layout().name().toLowerCase(Locale.ROOT)));
    }

    /** @param serverFacts versions and settings of the server by name */
    void environment(List<String[]> serverFacts, boolean embedded) {
        ObjectNode environment = root.putObject("environment");
        environment.put(
                "chunkroll",
                Optional.ofNullable(RunFile.class.getPackage().getImplementationVersion())
                        .orElse("unknown"));
        environment.put("flink", EnvironmentInformation.getVersion());
        environment.put("java", System.getProperty("java.vm.name") + ' ' + System.getProperty("java.version"));
        environment.put(
                "os",
                System.getProperty("os.name")
                        + ' '
                        + System.getProperty("os.version")
                        + ' '
                        + System.getProperty("os.arch"));
        environment.put("cores", Runtime.getRuntime().availableProcessors());
        environment.put("heap_bytes", Runtime.getRuntime().maxMemory());
        var os = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        environment.put("memory_bytes", os.getTotalMemorySize());
        environment.put("embedded_server", embedded);
        ObjectNode server = environment.putObject("server");
        serverFacts.forEach(fact -> server.put(fact[0], fact[1]));
    }

    void outcome(RunResult.Outcome outcome, Optional<String> failure) {
        root.put("outcome", outcome.name().toLowerCase(Locale.ROOT));
        root.put("failure", failure.orElse(null));
    }

    void rows(RunMetrics metrics, RowCounts counts, OptionalLong inTable, OptionalDouble seconds) {
        root.put("rows_read", metrics.rowsRead());
        root.put("rows_written", counts.written());
        put("rows_inserted", counts.inserted());
        put("rows_skipped", counts.skipped());
        put("rows_replaced", counts.replaced());
        root.put("rows_filtered", metrics.rowsFiltered());
        put("rows_in_table", inTable);
        root.put("bytes_written", metrics.bytesWritten());
        put("seconds", seconds);
        put(
                "rows_per_second",
                seconds.isPresent() ? OptionalDouble.of(counts.written() / seconds.getAsDouble()) : seconds);
        root.put("flushes", metrics.flushes());
        Histogram latency = metrics.flushLatency();
        ObjectNode flush = root.putObject("flush_ms");
        for (Map.Entry<String, Double> percentile : List.of(
                Map.entry("p50", 50.0),
                Map.entry("p90", 90.0),
                Map.entry("p95", 95.0),
                Map.entry("p99", 99.0),
                Map.entry("max", 100.0))) {
            put(flush, percentile.getKey(), Sampler.percentileMillis(latency, percentile.getValue()));
        }
    }

    /** How long it took until the indexes of a bulk load were ready. */
    void indexes(Optional<IndexPhase> indexes, long written) {
        OptionalDouble ready =
                indexes.stream().mapToDouble(IndexPhase::readySeconds).findFirst();
        put("index_seconds", indexes.stream().mapToDouble(IndexPhase::seconds).findFirst());
        put("ready_seconds", ready);
        put(
                "rows_per_second_until_ready",
                ready.isPresent() ? OptionalDouble.of(written / ready.getAsDouble()) : ready);
        put("rows_loaded_live", indexes.map(phase -> phase.rowsLive(written)).orElse(OptionalLong.empty()));
    }

    void rejects(long rows) {
        root.put("rows_rejected", rows);
    }

    /** @param countsRetries whether the sink counts its retries; Flink's JDBC sink does not */
    void retries(RunMetrics metrics, boolean countsRetries) {
        put("retries", countsRetries ? OptionalLong.of(metrics.retries()) : OptionalLong.empty());
        root.put("restarts", metrics.restarts());
    }

    void usage(Optional<TimelinePoint> last, DatabaseProbe.Sizes sizes) {
        put("chunks", last.map(TimelinePoint::chunks).orElse(OptionalLong.empty()));
        put("wal_bytes", last.map(TimelinePoint::walBytes).orElse(OptionalLong.empty()));
        put("table_bytes", sizes.tableBytes());
        put("index_bytes", sizes.indexBytes());
        put("server_cpu_seconds", last.map(TimelinePoint::serverCpuSeconds).orElse(OptionalDouble.empty()));
        put("client_cpu_seconds", last.map(TimelinePoint::clientCpuSeconds).orElse(OptionalDouble.empty()));
        put("server_disk_write_bytes", last.map(TimelinePoint::diskWriteBytes).orElse(OptionalLong.empty()));
        root.putNull("after_load");
    }

    /** What the table is like, whoever made it: settings tell only what was asked for one that is made. */
    void table(Load load, Map<String, List<String>> facts) {
        if (load.table().isEmpty()) {
            root.putNull("table");
            return;
        }
        ObjectNode table = root.putObject("table");
        table.put("name", load.table().get().name().toString());
        table.put("layout", load.table().get().layout().name().toLowerCase(Locale.ROOT));
        facts.forEach((name, values) -> {
            ArrayNode list = table.putArray(name);
            values.forEach(list::add);
        });
    }

    void chunkRolls(List<ChunkRoll> rolls) {
        ArrayNode array = root.putArray("chunk_rolls");
        for (ChunkRoll roll : rolls) {
            array.addObject()
                    .put("time", roll.time().toString())
                    .put("elapsed_s", roll.elapsedSeconds())
                    .put("chunk", roll.chunk())
                    .put("range_start", roll.rangeStart())
                    .put("range_end", roll.rangeEnd());
        }
    }

    private void put(String field, OptionalLong value) {
        if (value.isPresent()) {
            root.put(field, value.getAsLong());
        } else {
            root.putNull(field);
        }
    }

    private void put(String field, OptionalDouble value) {
        put(root, field, value);
    }

    private static void put(ObjectNode node, String field, OptionalDouble value) {
        if (value.isPresent()) {
            node.put(field, Math.round(value.getAsDouble() * 1e3) / 1e3);
        } else {
            node.putNull(field);
        }
    }

    void write(Path folder) throws IOException {
        Path part = folder.resolve(RunFolder.SUMMARY_FILE + ".part");
        Files.write(part, JSON.writeValueAsBytes(root));
        Files.move(part, folder.resolve(RunFolder.SUMMARY_FILE), StandardCopyOption.ATOMIC_MOVE);
    }
}
