package io.chunkroll.job.report;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** What one run showed, in words. */
final class RunWords {
    /** A change of the rate smaller than this is not worth a verb. */
    private static final double NOTABLE = 0.05;
    /** In a batch. With so many an index page is read and written a few times less than often enough to hold the rate back. */
    private static final int MANY_ROWS_PER_DEVICE = 5;

    private final MeasuredRun run;
    private final Sawtooth sawtooth;

    private RunWords(MeasuredRun run) {
        this.run = run;
        this.sawtooth = run.sawtooth();
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
        sentences.add(run.isChunked() ? chunked() : overall());
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

    private String overall() {
        if (sawtooth.slope().isEmpty()) {
            return "The load was too short to tell how the rate changed.";
        }
        double change = sawtooth.slope().getAsDouble() - 1;
        String rates = Figures.rate(sawtooth.firstFifth().getAsDouble()) + " in the first fifth of the load, "
                + Figures.rate(sawtooth.lastFifth().getAsDouble()) + " in the last";
        if (Math.abs(change) < NOTABLE) {
            return "Its rate hardly changed: " + rates + ".";
        }
        return "Its rate " + (change < 0 ? "sank" : "rose") + " by " + Figures.percent(Math.abs(change)) + ": " + rates
                + ".";
    }

    private String chunked() {
        if (sawtooth.rolls() == 0) {
            return "No new " + run.chunkWord()
                    + " was begun during the load, as far as was recorded, so no sawtooth can"
                    + " show; more rows or a shorter chunk interval bring rolls. " + overall();
        }
        if (sawtooth.medianDrop().isEmpty()) {
            return rolls() + " were seen, but no full " + run.chunkWord() + " took long enough to measure its rate at"
                    + " start and end; larger " + run.chunkWord() + "s make the sawtooth visible.";
        }
        if (sawtooth.isSeen()) {
            return "The chunk-roll sawtooth shows, over " + rolls() + ": " + drop() + ", and " + recovery() + ".";
        }
        return "No sawtooth is seen over " + rolls() + ": " + drop()
                + (sawtooth.medianRecovery().isPresent() ? ", and " + recovery() : "") + ". " + whyNone();
    }

    private String rolls() {
        return sawtooth.rolls() + " " + run.chunkWord() + (sawtooth.rolls() == 1 ? " roll" : " rolls");
    }

    private String drop() {
        double median = sawtooth.medianDrop().getAsDouble();
        return "within a " + run.chunkWord() + " the rate " + (median < 0 ? "rose" : "fell") + " by "
                + Figures.percent(Math.abs(median)) + of(sawtooth.measuredChunks(), sawtooth.meanDrop(), median < 0);
    }

    private String of(int chunks, OptionalDouble mean, boolean rose) {
        return chunks == 1
                ? " (one full " + run.chunkWord() + ")"
                : " (median of " + chunks + " full " + run.chunkWord() + "s; mean "
                        + Figures.percent(rose ? -mean.getAsDouble() : mean.getAsDouble()) + ")";
    }

    private String recovery() {
        return "the next " + run.chunkWord() + " began at "
                + Figures.times(sawtooth.medianRecovery().getAsDouble()) + " times the rate the last had ended with";
    }

    private String whyNone() {
        if (sawtooth.medianDrop().getAsDouble() >= Sawtooth.LEAST_DROP) {
            return sawtooth.rolls() == 1
                    ? "One roll is too little to speak of a sawtooth."
                    : "The rate sank without recovering at the rolls, so it is not the new " + run.chunkWord()
                            + " that decides.";
        }
        return HotPages.of(run.summary())
                .map(this::whyNone)
                .orElse("It may be that the buffers hold the indexes' hot pages, about 8 KiB for each device.");
    }

    private String whyNone(HotPages pages) {
        String sizes = Figures.count(pages.devices()) + " devices keep about " + Figures.bytes(pages.bytes())
                + " of index pages hot (8 KiB each), and the server has " + Figures.bytes(pages.bufferBytes())
                + " of shared buffers";
        if (pages.fit()) {
            return "It may be that the buffers are too large for it: " + sizes + ".";
        }
        double rows = rowsPerDevice(pages.devices());
        return rows >= MANY_ROWS_PER_DEVICE
                ? "Ordinary batches would have shown one, for " + sizes + "; these had about " + Math.round(rows)
                        + " rows of each device, sorted, and so visit each page once for all of them."
                : "The buffers do not explain it (" + sizes + "); something else may have held the rate back.";
    }

    /** In a sorted batch, on average; each writer of generated rows has its share of the devices. 0 where that is not known. */
    private double rowsPerDevice(long devices) {
        OptionalLong flushes = run.summary().whole("flushes");
        boolean sorted = run.summary().setting("sink.kind").orElse("").equals("copy")
                && run.summary().setting("sink.sort").orElse("").equals("true");
        double writers = run.summary()
                .setting("job.parallelism")
                .map(Double::parseDouble)
                .orElse(1.0);
        return sorted && flushes.orElse(0) > 0 ? run.rows() * writers / flushes.getAsLong() / devices : 0;
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
