package io.chunkroll.job.report;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/** How a run's rate went, within its chunks and over all of it, in words. */
final class SawtoothWords {
    /** A change of the rate smaller than this is not worth a verb. */
    private static final double NOTABLE = 0.05;
    /** In a batch. With so many an index page is read and written a few times less than often enough to hold the rate back. */
    private static final int MANY_ROWS_PER_DEVICE = 5;

    private final MeasuredRun run;
    private final Sawtooth sawtooth;

    private SawtoothWords(MeasuredRun run) {
        this.run = run;
        this.sawtooth = run.sawtooth();
    }

    /** A few sentences. */
    static String of(MeasuredRun run) {
        SawtoothWords words = new SawtoothWords(run);
        return run.isChunked() ? words.chunked() : words.overall();
    }

    private String overall() {
        if (sawtooth.slope().isEmpty()) {
            return "The load was too short to tell how the rate changed.";
        }
        double change = sawtooth.slope().getAsDouble() - 1;
        String rates = Figures.rate(sawtooth.firstFifth().getAsDouble()) + " in the first fifth of the load, "
                + Figures.rate(sawtooth.lastFifth().getAsDouble()) + " in the last";
        String sentence = Math.abs(change) < NOTABLE
                ? "Its rate hardly changed: " + rates + "."
                : "Its rate " + (change < 0 ? "sank" : "rose") + " by " + Figures.percent(Math.abs(change)) + ": "
                        + rates + ".";
        return sentence + sawtooth.loadFit().map(fit -> fitted("", fit)).orElse("");
    }

    private String chunked() {
        if (sawtooth.rolls() == 0) {
            return "No new " + run.chunkWord()
                    + " was begun during the load, as far as was recorded, so no sawtooth can"
                    + " show; more rows or a shorter chunk interval bring rolls. " + overall();
        }
        if (sawtooth.medianDrop().isEmpty()) {
            return rolls() + " were seen, but no full " + run.chunkWord() + " took long enough to measure its rate at"
                    + " start and end; larger " + run.chunkWord() + "s make the sawtooth visible." + stalls();
        }
        String figures = drop() + (sawtooth.medianRecovery().isPresent() ? ", and " + recovery() : "") + "."
                + sawtooth.chunkFit()
                        .map(fit -> fitted(" over " + chunks(fit.spans()), fit))
                        .orElse("")
                + stalls() + atOnce();
        return sawtooth.isSeen()
                ? "The chunk-roll sawtooth shows, over " + rolls() + ": " + figures
                : "No sawtooth is seen over " + rolls() + ": " + figures + " " + whyNone();
    }

    private String rolls() {
        return sawtooth.rolls() + " " + run.chunkWord() + (sawtooth.rolls() == 1 ? " roll" : " rolls");
    }

    private String chunks(int number) {
        return number == 1 ? "one full " + run.chunkWord() : number + " full " + run.chunkWord() + "s";
    }

    private String drop() {
        double median = sawtooth.medianDrop().getAsDouble();
        OptionalDouble rows = sawtooth.periodRows();
        return "within a " + run.chunkWord()
                + (rows.isPresent() ? " of " + Figures.count(Math.round(rows.getAsDouble())) + " rows" : "")
                + " the rate "
                + (median < 0 ? "rose" : "fell") + " by " + Figures.percent(Math.abs(median)) + ", from "
                + Figures.bareRate(sawtooth.medianStart().getAsDouble()) + " to "
                + Figures.rate(sawtooth.medianEnd().getAsDouble()) + " (" + spread(median < 0) + ")";
    }

    private String spread(boolean rose) {
        int measured = sawtooth.measuredChunks();
        if (measured == 1) {
            return chunks(1);
        }
        double low = sawtooth.lowDrop().getAsDouble();
        double high = sawtooth.highDrop().getAsDouble();
        return "median of " + chunks(measured) + ", the middle half from " + Figures.percent(rose ? -high : low)
                + " to " + Figures.percent(rose ? -low : high);
    }

    private static String fitted(String over, RateFit fit) {
        double low = fit.slopeLow() * RateFit.MILLION;
        double high = fit.slopeHigh() * RateFit.MILLION;
        if (!fit.isSlope()) {
            return " Fitted" + over + ", it shows no slope beyond its own noise (" + Figures.signedRate(low) + " to "
                    + Figures.signedRate(high) + " rows/s a million rows).";
        }
        boolean sinks = fit.slope() < 0;
        return " Fitted" + over + ", each million rows " + (sinks ? "cost " : "added ")
                + Figures.rate(Math.abs(fit.perMillion())) + " (95% interval "
                + Figures.bareRate(Math.abs(sinks ? high : low)) + " to "
                + Figures.bareRate(Math.abs(sinks ? low : high)) + ").";
    }

    /** Where every look saw a commit there is nothing to tell. */
    private String stalls() {
        double longest = sawtooth.stallSeconds().orElse(0);
        double elsewhere = sawtooth.stallElsewhereSeconds();
        return longest == 0
                ? ""
                : " At a roll nothing was committed for up to " + Figures.seconds(longest) + ", "
                        + (elsewhere == 0
                                ? "elsewhere never for a whole look"
                                : "elsewhere for up to " + Figures.seconds(elsewhere))
                        + " (a look every " + Figures.seconds(sawtooth.resolutionSeconds()) + ").";
    }

    private String atOnce() {
        return sawtooth.chunksInTurn()
                ? ""
                : " The " + run.chunkWord() + "s did not follow each other in time: several were filled at once, which"
                        + " flattens the teeth.";
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
        if (pages.indexes() == 0) {
            return "No index begins with the device, so none keeps a page hot for each: there is nothing that buffers"
                    + " could be too small for.";
        }
        String sizes = Figures.count(pages.devices()) + " devices keep about " + Figures.bytes(pages.bytes())
                + " of index pages hot (8 KiB each" + (pages.indexes() > 1 ? " in " + pages.indexes() + " indexes" : "")
                + "), and the server has " + Figures.bytes(pages.bufferBytes()) + " of shared buffers";
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
}
