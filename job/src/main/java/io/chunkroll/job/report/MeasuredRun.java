package io.chunkroll.job.report;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A run and what its figures amount to.
 *
 * @param label its name, numbered where several runs share one
 */
record MeasuredRun(String label, RunFolder folder, Sawtooth sawtooth) {

    static List<MeasuredRun> of(List<RunFolder> folders) {
        Map<String, Integer> seen = new HashMap<>();
        return folders.stream()
                .map(folder -> {
                    String name = folder.summary().name();
                    int number = seen.merge(name, 1, Integer::sum);
                    String label = number == 1 ? name : name + " (" + number + ")";
                    return new MeasuredRun(label, folder, folder.sawtooth());
                })
                .toList();
    }

    RunSummary summary() {
        return folder.summary();
    }

    /** Rows a second over the whole load, until its indexes are ready, as the run said, or else as its timeline shows. */
    OptionalDouble meanRate() {
        OptionalDouble untilReady = summary().decimal("rows_per_second_until_ready");
        OptionalDouble said = untilReady.isPresent() ? untilReady : summary().decimal("rows_per_second");
        return said.isPresent() ? said : sawtooth.meanRate();
    }

    /** Rows written, as the run said, or else as its timeline shows. */
    long rows() {
        OptionalLong written = summary().whole("rows_written");
        return written.isPresent()
                ? written.getAsLong()
                : folder.timeline().points().stream()
                        .mapToLong(TimelinePoint::rows)
                        .max()
                        .orElse(0);
    }

    /** What the table holds, the rows of before included; empty where that was not counted. */
    OptionalLong rowsInTable() {
        OptionalLong before = summary().whole("rows_before");
        OptionalLong gained = summary().whole("rows_in_table");
        return before.isPresent() && gained.isPresent()
                ? OptionalLong.of(before.getAsLong() + gained.getAsLong())
                : OptionalLong.empty();
    }

    /** Whether its rows went into a table at all. */
    boolean hasTable() {
        return !summary().setting("sink.kind").orElse("").equals("discard");
    }

    /** Whether its table is made of chunks or partitions. */
    boolean isChunked() {
        return hasTable() && !layout().equals("plain");
    }

    String layout() {
        return summary().setting("sink.layout").orElse("plain");
    }

    /** What one of its chunks is called. */
    String chunkWord() {
        return layout().equals("partitioned") ? "partition" : "chunk";
    }
}
