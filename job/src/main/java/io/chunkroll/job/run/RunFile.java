package io.chunkroll.job.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.chunkroll.job.report.ChunkRoll;
import io.chunkroll.job.report.RateFit;
import io.chunkroll.job.report.RunFolder;
import io.chunkroll.job.report.Sawtooth;
import io.chunkroll.job.report.TimelinePoint;
import io.chunkroll.job.settings.Settings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;
import org.apache.flink.runtime.util.EnvironmentInformation;

/** Puts together {@code run.json}. What was not measured is null, never 0, and {@code not_measured} says why. */
final class RunFile {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private final ObjectNode root = JSON.createObjectNode();
    private final ObjectNode notMeasured = JSON.createObjectNode();
    private final FigureNode figures = new FigureNode(root, notMeasured, "");
    private final Reasons reasons;

    RunFile(String name, Subject subject, Instant startedAt, Reasons reasons) {
        this.reasons = reasons;
        root.put("format_version", RunFolder.FORMAT_VERSION);
        root.put("name", name);
        root.put("started_at", startedAt.toString());
        ObjectNode settings = root.putObject("settings");
        Settings given = subject.settings();
        given.texts().forEach(settings::put);
        settings.put("sink.table", given.sink().table());
        settings.put("job.parallelism", String.valueOf(given.job().parallelism()));
        subject.table()
                .ifPresent(table ->
                        settings.put("sink.layout", table.layout().name().toLowerCase(Locale.ROOT)));
    }

    /**
     * Notes where it ran.
     *
     * @param serverFacts versions and settings of the server by name
     * @param cluster facts of the cluster that it ran on, which stand in place of those of this machine; empty if it was this one
     */
    void environment(List<String[]> serverFacts, boolean embedded, Map<String, String> cluster) {
        ObjectNode environment = root.putObject("environment");
        environment.put(
                "chunkroll",
                Optional.ofNullable(RunFile.class.getPackage().getImplementationVersion())
                        .orElse("unknown"));
        if (cluster.isEmpty()) {
            machine(environment);
        }
        cluster.forEach(environment::put);
        environment.put("embedded_server", embedded);
        ObjectNode server = environment.putObject("server");
        serverFacts.forEach(fact -> server.put(fact[0], fact[1]));
    }

    private static void machine(ObjectNode environment) {
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
    }

    void outcome(RunResult.Outcome outcome, Optional<String> failure) {
        root.put("outcome", outcome.name().toLowerCase(Locale.ROOT));
        root.put("failure", failure.orElse(null));
    }

    /** @param before rows in the table when the load began */
    void rows(JobMetrics metrics, RowCounts counts, OptionalLong before, OptionalLong gained, OptionalDouble seconds) {
        Optional<String> unseen = metrics.unsettled();
        count("rows_read", metrics.rowsRead(), metrics.readUnsettled());
        count("rows_written", counts.written(), metrics.rowsUnsettled());
        fate("rows_inserted", counts.inserted(), unseen);
        fate("rows_skipped", counts.skipped(), unseen);
        fate("rows_replaced", counts.replaced(), unseen);
        count("rows_filtered", metrics.rowsFiltered(), unseen);
        figures.put("rows_before", before, reasons.count());
        figures.put("rows_in_table", gained, reasons.count());
        count("bytes_written", metrics.bytesWritten(), unseen);
        Optional<String> unknown = metrics.timeUnsettled();
        OptionalDouble took = unknown.isPresent() ? OptionalDouble.empty() : seconds;
        figures.put("seconds", took, unknown.orElse(Reasons.NO_COMMIT));
        figures.put(
                "rows_per_second",
                took.isPresent() ? OptionalDouble.of(counts.written() / took.getAsDouble()) : took,
                unknown.orElse(Reasons.NO_COMMIT));
        count("flushes", metrics.flushes(), unseen);
        flush(unseen.isPresent() ? new Histogram(1) : metrics.flushLatency(), unseen.orElse(reasons.flushes()));
        if (unseen.isPresent()) {
            figures.absent("rows_per_subtask", unseen.get());
        } else {
            subtasks(metrics.rowsPerSubtask());
        }
    }

    /** @param unseen why it is not known to the last, if it is not */
    private void count(String field, long value, Optional<String> unseen) {
        figures.put(field, unseen.isPresent() ? OptionalLong.empty() : OptionalLong.of(value), unseen.orElse(""));
    }

    private void fate(String field, OptionalLong value, Optional<String> unseen) {
        boolean lost = value.isPresent() && unseen.isPresent();
        figures.put(field, lost ? OptionalLong.empty() : value, lost ? unseen.get() : reasons.conflicts());
    }

    /** @param whyNot the reason where there are none */
    private void flush(Histogram latency, String whyNot) {
        FigureNode flush = figures.object("flush_ms");
        for (Map.Entry<String, Double> percentile : List.of(
                Map.entry("p50", 50.0),
                Map.entry("p90", 90.0),
                Map.entry("p95", 95.0),
                Map.entry("p99", 99.0),
                Map.entry("max", 100.0))) {
            flush.put(percentile.getKey(), Sampler.percentileMillis(latency, percentile.getValue()), whyNot);
        }
    }

    private void subtasks(List<Long> rows) {
        if (rows.isEmpty()) {
            figures.absent("rows_per_subtask", Reasons.NO_SUBTASK);
            return;
        }
        LongSummaryStatistics spread = rows.stream().mapToLong(Long::longValue).summaryStatistics();
        FigureNode subtasks = figures.object("rows_per_subtask");
        subtasks.put("min", spread.getMin());
        subtasks.put("mean", spread.getAverage());
        subtasks.put("max", spread.getMax());
        subtasks.array("all", rows);
    }

    /** How long it took until the indexes of a bulk load were ready. */
    void indexes(Optional<IndexPhase> indexes, long written) {
        OptionalDouble ready =
                indexes.stream().mapToDouble(IndexPhase::readySeconds).findFirst();
        figures.put(
                "index_seconds",
                indexes.stream().mapToDouble(IndexPhase::seconds).findFirst(),
                reasons.indexes());
        figures.put("ready_seconds", ready, reasons.indexes());
        figures.put(
                "rows_per_second_until_ready",
                ready.isPresent() ? OptionalDouble.of(written / ready.getAsDouble()) : ready,
                reasons.indexes());
        figures.put(
                "rows_loaded_live",
                indexes.map(phase -> phase.rowsLive(written)).orElse(OptionalLong.empty()),
                indexes.isPresent() ? Reasons.NO_NEW_PARTITIONS : reasons.indexes());
    }

    void rejects(long rows, Optional<String> unseen) {
        count("rows_rejected", rows, unseen);
    }

    /** @param countsRetries whether the sink counts its retries; Flink's JDBC sink does not */
    void retries(JobMetrics metrics, boolean countsRetries) {
        if (countsRetries) {
            count("retries", metrics.retries(), metrics.unsettled());
        } else {
            figures.absent("retries", reasons.retries());
        }
        root.put("restarts", metrics.restarts());
    }

    /** @param last the last look at the load itself */
    void usage(TimelinePoint last, DatabaseProbe.Sizes sizes) {
        figures.put("chunks", last.chunks(), reasons.chunks());
        figures.put("wal_bytes", last.walBytes(), reasons.log());
        figures.put("table_bytes", sizes.tableBytes(), reasons.table());
        figures.put("index_bytes", sizes.indexBytes(), reasons.table());
        figures.put("server_cpu_seconds", last.serverCpuSeconds(), reasons.cpuTime());
        figures.put("client_cpu_seconds", last.clientCpuSeconds(), reasons.clientTime());
        figures.put("server_disk_write_bytes", last.diskWriteBytes(), reasons.diskWrites());
    }

    /** @param whyNot why the server was not watched after the load */
    void afterLoad(Optional<AfterLoad> after, String whyNot) {
        if (after.isEmpty()) {
            figures.absent("after_load", whyNot);
            return;
        }
        FigureNode node = figures.object("after_load");
        node.put("seconds", after.get().seconds());
        node.put("server_cpu_seconds", after.get().serverCpuSeconds());
        node.put("server_disk_write_bytes", after.get().diskWriteBytes(), reasons.diskWrites());
        node.text("ended", after.get().ended().name().toLowerCase(Locale.ROOT));
        node.truth("checkpoint_pending", after.get().checkpointPending());
    }

    /** The chunks that there are at the end; empty where there are none or they could not be read. */
    void chunkList(Optional<List<DatabaseProbe.ChunkFacts>> chunks) {
        if (chunks.isEmpty()) {
            figures.absent("chunk_list", reasons.chunks());
            return;
        }
        ArrayNode array = root.putArray("chunk_list");
        for (DatabaseProbe.ChunkFacts facts : chunks.get()) {
            array.addObject()
                    .put("name", facts.chunk().name())
                    .put("range_start", facts.chunk().rangeStart())
                    .put("range_end", facts.chunk().rangeEnd())
                    .put("created_at", facts.createdAt().map(Instant::toString).orElse(null))
                    .put("table_bytes", facts.size().tableBytes())
                    .put("index_bytes", facts.size().indexBytes());
        }
        if (chunks.get().stream().anyMatch(facts -> facts.createdAt().isEmpty())) {
            notMeasured.put("chunk_list.created_at", Reasons.MADE_BEFORE);
        }
    }

    /** What the table is like, whoever made it: settings tell only what was asked for one that is made. */
    void table(Subject subject, Map<String, List<String>> facts) {
        if (subject.table().isEmpty()) {
            figures.absent("table", reasons.table());
            return;
        }
        ObjectNode table = root.putObject("table");
        table.put("name", subject.table().get().name().toString());
        table.put("layout", subject.table().get().layout().name().toLowerCase(Locale.ROOT));
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

    /** How the rate went: over all rows, and from roll to roll. */
    void sawtooth(Sawtooth measured) {
        slope(figures, "rate_slope", measured.loadFit(), Reasons.TOO_SHORT);
        if (measured.rolls() == 0) {
            figures.absent("sawtooth", reasons.sawtooth());
            return;
        }
        FigureNode node = figures.object("sawtooth");
        node.truth("seen", measured.isSeen());
        node.put("rolls", measured.rolls());
        node.put("drop_median", measured.medianDrop(), Reasons.NO_LONG_CHUNK);
        node.put("drop_low", measured.lowDrop(), Reasons.NO_LONG_CHUNK);
        node.put("drop_high", measured.highDrop(), Reasons.NO_LONG_CHUNK);
        node.put("drop_fitted", measured.fittedDrop(), Reasons.NO_FIT);
        node.put("recovery_median", measured.medianRecovery(), Reasons.NO_RECOVERY);
        node.put("stall_ms_max", millis(measured.stallSeconds().orElse(0)));
        node.put("stall_elsewhere_ms_max", millis(measured.stallElsewhereSeconds()));
        node.put("stall_resolution_ms", millis(measured.resolutionSeconds()));
        node.put("period_rows", rounded(measured.periodRows()), Reasons.NO_WHOLE_CHUNK);
        slope(node, "slope", measured.chunkFit(), Reasons.NO_LONG_CHUNK);
    }

    /** In rows a second for each million rows, with the interval in which it lies. */
    private static void slope(FigureNode parent, String field, Optional<RateFit> fit, String whyNot) {
        if (fit.isEmpty()) {
            parent.absent(field, whyNot);
            return;
        }
        FigureNode node = parent.object(field);
        node.put("rows_per_second_per_million_rows", fit.get().perMillion());
        node.put("low", fit.get().slopeLow() * RateFit.MILLION);
        node.put("high", fit.get().slopeHigh() * RateFit.MILLION);
    }

    private static long millis(double seconds) {
        return Math.round(seconds * 1e3);
    }

    private static OptionalLong rounded(OptionalDouble value) {
        return value.isPresent() ? OptionalLong.of(Math.round(value.getAsDouble())) : OptionalLong.empty();
    }

    /** What the file would hold now. */
    JsonNode soFar() {
        return root.deepCopy();
    }

    void write(Path folder) throws IOException {
        root.set("not_measured", notMeasured);
        Path part = folder.resolve(RunFolder.SUMMARY_FILE + ".part");
        Files.write(part, JSON.writeValueAsBytes(root));
        Files.move(part, folder.resolve(RunFolder.SUMMARY_FILE), StandardCopyOption.ATOMIC_MOVE);
    }
}
