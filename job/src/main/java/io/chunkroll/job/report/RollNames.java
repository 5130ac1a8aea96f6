package io.chunkroll.job.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * What stands at the rolls of a picture, where nobody can point at one: the chunks' names as on the page or, where they would cover each
 * other, their numbers, and of these as many as there is room for.
 *
 * @param run whose rolls are named
 * @param areNumbers whether there was no room for the names
 */
record RollNames(MeasuredRun run, List<Name> names, boolean areNumbers) {
    /** The size of their letters, in pixels. */
    static final int FONT = 12;

    /** About the width of a letter, and the least distance between two names. */
    private static final double LETTER = FONT * 0.62;

    /** @param at seconds into the load */
    record Name(double at, String text) {}

    /**
     * Of the first run of each name that has rolls, for those of its repeats are about where its own are.
     *
     * @param width pixels of the longest load
     */
    static List<RollNames> of(List<MeasuredRun> runs, double width) {
        double longest = runs.stream()
                .flatMap(run -> run.folder().timeline().load().stream())
                .mapToDouble(TimelinePoint::elapsedSeconds)
                .max()
                .orElse(0);
        List<RollNames> all = new ArrayList<>();
        Set<String> named = new HashSet<>();
        for (MeasuredRun run : runs) {
            if (longest > 0
                    && run.sawtooth().chunks().size() > 1
                    && named.add(run.summary().name())) {
                all.add(of(run, width / longest));
            }
        }
        return all;
    }

    private static RollNames of(MeasuredRun run, double pixelsPerSecond) {
        List<Name> whole = fitting(run, pixelsPerSecond, number -> run.chunkWord() + " " + number);
        return whole.size() == run.sawtooth().chunks().size() - 1
                ? new RollNames(run, whole, false)
                : new RollNames(run, fitting(run, pixelsPerSecond, Integer::toString), true);
    }

    /** From left to right, without those that would touch the one before; each stands in the middle above its roll. */
    private static List<Name> fitting(MeasuredRun run, double pixelsPerSecond, IntFunction<String> text) {
        List<ChunkRates> chunks = run.sawtooth().chunks();
        List<Name> fitting = new ArrayList<>();
        double free = Double.NEGATIVE_INFINITY;
        for (int i = 1; i < chunks.size(); i++) {
            Name name = new Name(chunks.get(i).fromSeconds(), text.apply(i + 1));
            double half = name.text().length() * LETTER / 2;
            double middle = name.at() * pixelsPerSecond;
            if (middle - half >= free) {
                fitting.add(name);
                free = middle + half + LETTER;
            }
        }
        return fitting;
    }
}
