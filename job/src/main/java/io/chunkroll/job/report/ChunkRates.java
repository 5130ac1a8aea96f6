package io.chunkroll.job.report;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How the rate went while one chunk was filled.
 *
 * @param chunk its name; empty for the chunk that was there before the run
 * @param rangeStart the first time it takes, or empty
 * @param rangeEnd the end of its range, exclusive, or empty
 * @param fromSeconds when it was made, from the start of the run
 * @param toSeconds when the next one was made or the load ended
 * @param rows rows committed in between
 * @param full whether it began empty and took about as many rows as the largest; only full chunks count in medians
 * @param rateAtStart rows a second in its first quarter; empty when the chunk was too short to tell
 * @param rateAtEnd rows a second in its last quarter
 * @param fit the rate over the rows of the chunk, as a straight line; empty when the chunk was too short to tell
 * @param recovery the next chunk's rate at its start, as a multiple of this one's at its end; empty for the last chunk
 * @param stallSeconds the longest time without a commit around the roll that ended it, 0 where every look saw one; empty for the last chunk
 */
public record ChunkRates(
        String chunk,
        String rangeStart,
        String rangeEnd,
        double fromSeconds,
        double toSeconds,
        long rows,
        boolean full,
        OptionalDouble rateAtStart,
        OptionalDouble rateAtEnd,
        Optional<RateFit> fit,
        OptionalDouble recovery,
        OptionalDouble stallSeconds) {

    /** The share of the rate lost from start to end: 0.4 for a rate that sank from 100 to 60. */
    public OptionalDouble drop() {
        return rateAtStart.isPresent() && rateAtEnd.isPresent() && rateAtStart.getAsDouble() > 0
                ? OptionalDouble.of(1 - rateAtEnd.getAsDouble() / rateAtStart.getAsDouble())
                : OptionalDouble.empty();
    }

    /** What the roll to the next chunk did. */
    ChunkRates endedBy(OptionalDouble nextRateAtStart, double stall) {
        boolean known = nextRateAtStart.isPresent() && rateAtEnd.isPresent() && rateAtEnd.getAsDouble() > 0;
        OptionalDouble found = known
                ? OptionalDouble.of(nextRateAtStart.getAsDouble() / rateAtEnd.getAsDouble())
                : OptionalDouble.empty();
        return new ChunkRates(
                chunk,
                rangeStart,
                rangeEnd,
                fromSeconds,
                toSeconds,
                rows,
                full,
                rateAtStart,
                rateAtEnd,
                fit,
                found,
                OptionalDouble.of(stall));
    }
}
