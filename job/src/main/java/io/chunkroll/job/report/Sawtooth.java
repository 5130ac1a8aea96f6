package io.chunkroll.job.report;

import io.chunkroll.job.report.ChunkSpans.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * How a run's rate sank and recovered. Every rate is rows committed over time within a window: for a chunk the first and the last
 * quarter of its time, for the whole load its first and last fifth. A window leaves out one second, or one reporting period where that
 * is longer, after the begin of the span and before its end, since a roll is known no better than that and a stall at the roll says
 * nothing of the indexes. A span whose windows get shorter than what they leave out has no rates.
 *
 * @param meanRate rows a second over the whole load; empty without rows
 * @param firstFifth rows a second in the first fifth of the load
 * @param lastFifth rows a second in its last fifth
 * @param loadFit the rate over all rows, as a straight line; empty where the load was too short to tell
 * @param chunks the chunks in the order they were filled; none for a table without chunks
 * @param chunkFit the rate over the rows of a chunk, fitted over all full chunks together
 * @param chunksInTurn whether the chunks' times followed each other; if not, several chunks were filled at once
 * @param resolutionSeconds how far apart the looks at the run were, beyond which no stall is seen; 0 without looks
 * @param stallElsewhereSeconds the longest time without a commit that was not near a roll
 */
public record Sawtooth(
        OptionalDouble meanRate,
        OptionalDouble firstFifth,
        OptionalDouble lastFifth,
        Optional<RateFit> loadFit,
        List<ChunkRates> chunks,
        Optional<RateFit> chunkFit,
        boolean chunksInTurn,
        double resolutionSeconds,
        double stallElsewhereSeconds) {

    /** From this median drop on, a sawtooth is said to be seen. */
    public static final double LEAST_DROP = 0.1;

    /** From this median recovery on, a sawtooth is said to be seen. */
    public static final double LEAST_RECOVERY = 1.1;

    private static final int LEAST_ROLLS = 2;
    private static final double HALF = 0.5;
    private static final double QUARTER = 0.25;
    private static final double FIFTH = 0.2;
    private static final double LEAST_MARGIN_SECONDS = 1;
    /** A stall that comes so many margins before or after a roll belongs to it. */
    private static final double AROUND = 2;
    /** Points of a fit: of one chunk, and of a whole load. Their pairs are what is counted. */
    private static final int MOST_POINTS_OF_CHUNK = 60;

    private static final int MOST_POINTS_OF_LOAD = 400;
    /** A chunk with fewer rows than this share of the largest was not filled, or not by this run alone. */
    private static final double FULL = 0.8;

    public Sawtooth {
        chunks = List.copyOf(chunks);
    }

    /** Measures a timeline. */
    public static Sawtooth of(Timeline timeline, List<ChunkRoll> rolls) {
        RowCurve curve = RowCurve.of(timeline.load());
        Stalls stalls = Stalls.of(timeline.load());
        if (curve.isEmpty()) {
            OptionalDouble none = OptionalDouble.empty();
            return new Sawtooth(
                    none, none, none, Optional.empty(), List.of(), Optional.empty(), true, stalls.resolution(), 0);
        }
        double margin = Math.max(LEAST_MARGIN_SECONDS, curve.period());
        List<Span> spans = ChunkSpans.cut(rolls, curve.start(), curve.end(), margin);
        Ends load = Ends.of(curve, curve.start(), curve.end(), FIFTH, margin);
        List<ChunkRates> chunks = rates(curve, spans, margin, stalls);
        return new Sawtooth(
                OptionalDouble.of(curve.rate(curve.start(), curve.end())),
                load.first(),
                load.last(),
                RateFit.of(List.of(curve.points(curve.start(), curve.end(), margin, MOST_POINTS_OF_LOAD))),
                chunks,
                RateFit.of(chunks.stream()
                        .filter(ChunkRates::full)
                        .map(chunk -> points(curve, chunk, margin))
                        .toList()),
                ChunkSpans.areInTurn(spans),
                stalls.resolution(),
                stalls.longestFarFrom(
                        chunks.stream().skip(1).map(ChunkRates::fromSeconds).toList(), AROUND * margin));
    }

    private static List<ChunkRates> rates(RowCurve curve, List<Span> spans, double margin, Stalls stalls) {
        double largest =
                spans.stream().mapToDouble(span -> rows(curve, span)).max().orElse(0);
        List<ChunkRates> rates = new ArrayList<>();
        for (Span span : spans) {
            Ends ends = Ends.of(curve, span.from(), span.to(), QUARTER, margin);
            if (!rates.isEmpty()) {
                int last = rates.size() - 1;
                double stall = stalls.longest(span.from() - AROUND * margin, span.from() + AROUND * margin);
                rates.set(last, rates.get(last).endedBy(ends.first(), stall));
            }
            double rows = rows(curve, span);
            rates.add(new ChunkRates(
                    span.name(),
                    span.rangeStart(),
                    span.rangeEnd(),
                    span.from(),
                    span.to(),
                    Math.round(rows),
                    span.beganEmpty() && rows >= FULL * largest,
                    ends.first(),
                    ends.last(),
                    RateFit.of(List.of(curve.points(span.from(), span.to(), margin, MOST_POINTS_OF_CHUNK))),
                    OptionalDouble.empty(),
                    OptionalDouble.empty()));
        }
        return rates;
    }

    private static List<RateFit.Point> points(RowCurve curve, ChunkRates chunk, double margin) {
        return curve.points(chunk.fromSeconds(), chunk.toSeconds(), margin, MOST_POINTS_OF_CHUNK);
    }

    private static double rows(RowCurve curve, Span span) {
        return curve.rowsAt(span.to()) - curve.rowsAt(span.from());
    }

    /** How often a new chunk was begun while rows were loaded. */
    public int rolls() {
        return Math.max(0, chunks.size() - 1);
    }

    /** The last fifth's rate as a multiple of the first's. */
    public OptionalDouble slope() {
        return firstFifth.isPresent() && lastFifth.isPresent() && firstFifth.getAsDouble() > 0
                ? OptionalDouble.of(lastFifth.getAsDouble() / firstFifth.getAsDouble())
                : OptionalDouble.empty();
    }

    /** The median share of the rate lost within a full chunk. */
    public OptionalDouble medianDrop() {
        return dropQuantile(HALF);
    }

    /** The share of the rate that three quarters of the full chunks lost at least. */
    public OptionalDouble lowDrop() {
        return dropQuantile(QUARTER);
    }

    /** The share of the rate that three quarters of the full chunks lost at most. */
    public OptionalDouble highDrop() {
        return dropQuantile(1 - QUARTER);
    }

    private OptionalDouble dropQuantile(double share) {
        return Statistics.quantile(share, ofFullChunks(ChunkRates::drop));
    }

    /** The median rate at the start of full chunks. */
    OptionalDouble medianStart() {
        return Statistics.median(ofFullChunks(ChunkRates::rateAtStart));
    }

    /** The median rate at their end. */
    OptionalDouble medianEnd() {
        return Statistics.median(ofFullChunks(ChunkRates::rateAtEnd));
    }

    /** How many rows it takes from roll to roll: the median of the full chunks that another followed. */
    public OptionalDouble periodRows() {
        return Statistics.median(chunks.stream()
                .limit(rolls())
                .filter(ChunkRates::full)
                .mapToDouble(ChunkRates::rows)
                .toArray());
    }

    /** The longest time without a commit at any roll; empty without a roll. */
    public OptionalDouble stallSeconds() {
        return chunks.stream()
                .flatMapToDouble(chunk -> chunk.stallSeconds().stream())
                .max();
    }

    /** The share of the rate lost over so many rows from a chunk's begin, by the straight line fitted over all full chunks. */
    public OptionalDouble fittedDrop() {
        return chunkFit.isPresent()
                        && periodRows().isPresent()
                        && chunkFit.get().rateAtStart() > 0
                ? OptionalDouble.of(-chunkFit.get().slope()
                        * periodRows().getAsDouble()
                        / chunkFit.get().rateAtStart())
                : OptionalDouble.empty();
    }

    /** The median gain at the roll after a full chunk, as a multiple. */
    public OptionalDouble medianRecovery() {
        return Statistics.median(ofFullChunks(ChunkRates::recovery));
    }

    /** Whether the rate sank within chunks and recovered with the next, often and strongly enough to speak of a sawtooth. */
    public boolean isSeen() {
        return rolls() >= LEAST_ROLLS
                && medianDrop().orElse(0) >= LEAST_DROP
                && medianRecovery().orElse(0) >= LEAST_RECOVERY;
    }

    /** How many full chunks were long enough for a drop. */
    int measuredChunks() {
        return ofFullChunks(ChunkRates::drop).length;
    }

    private double[] ofFullChunks(Function<ChunkRates, OptionalDouble> value) {
        return chunks.stream()
                .filter(ChunkRates::full)
                .map(value)
                .flatMapToDouble(OptionalDouble::stream)
                .toArray();
    }

    /** The rates at both ends of a span. */
    private record Ends(OptionalDouble first, OptionalDouble last) {
        static Ends of(RowCurve curve, double from, double to, double share, double margin) {
            double window = (to - from) * share;
            return new Ends(
                    curve.rate(from + margin, from + window, margin), curve.rate(to - window, to - margin, margin));
        }
    }
}
