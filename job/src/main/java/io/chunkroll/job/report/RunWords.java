package io.chunkroll.job.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** What one run showed, in words. */
final class RunWords {
    private final MeasuredRun run;

    private RunWords(MeasuredRun run) {
        this.run = run;
    }

    static String of(MeasuredRun run) {
        return new RunWords(run).words();
    }

    private String words() {
        OptionalDouble mean = run.meanRate();
        if (run.rows() == 0 || mean.isEmpty()) {
            return run.label() + " wrote no rows.";
        }
        String figures = run.label() + kind() + ": " + Figures.count(run.rows()) + " rows at "
                + Figures.rate(mean.getAsDouble());
        if (!run.hasTable()) {
            return figures + " into no database, the speed of source and job alone.";
        }
        List<String> sentences = new ArrayList<>();
        sentences.add(figures + " on average.");
        OptionalDouble indexes = run.summary().decimal("index_seconds");
        if (indexes.isPresent()) {
            sentences.add("That counts the " + Figures.seconds(indexes.getAsDouble())
                    + " in which indexes were built when the rows were there; the rows alone came at "
                    + Figures.rate(run.summary().decimal("rows_per_second").orElse(0)) + ".");
        }
        ConflictWords.of(run.summary()).ifPresent(words -> sentences.add("Of these rows, " + words + "."));
        sentences.add(SawtoothWords.of(run));
        sentences.addAll(doubts());
        return String.join(" ", sentences);
    }

    /** What it wrote to, unless its name says so. */
    private String kind() {
        if (!run.hasTable() || run.label().contains(run.layout())) {
            return "";
        }
        return run.layout().equals("hypertable") ? " (hypertable)" : " (" + run.layout() + " table)";
    }

    private List<String> doubts() {
        List<String> doubts = new ArrayList<>();
        if (!run.summary().allRowsInTable().orElse(true)) {
            doubts.add("Its table holds "
                    + Figures.count(run.summary().whole("rows_in_table").getAsLong()) + " new rows, not the "
                    + Figures.count(run.summary().whole("rows_inserted").orElse(run.rows())) + " written.");
        }
        OptionalLong filtered = run.summary().whole("rows_filtered");
        if (filtered.orElse(0) > 0) {
            doubts.add(Figures.count(filtered.getAsLong())
                    + " more were read and left out, as sink.where or job.map says.");
        }
        OptionalLong rejected = run.summary().whole("rows_rejected");
        if (rejected.orElse(0) > 0) {
            doubts.add(Figures.count(rejected.getAsLong()) + " rows were rejected.");
        }
        return doubts;
    }
}
