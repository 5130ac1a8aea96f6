package io.chunkroll.sources.fleet;

import java.util.HashMap;
import java.util.Map;

/** How far a fleet's readers are, and how far apart they may be. */
final class Alignment {
    private static final int LEAD_ROWS = 50_000;
    private static final int REPORTS_PER_LEAD = 4;

    private final Map<Integer, Long> steps = new HashMap<>();

    /** How many steps a reader may be ahead of the slowest: about 50,000 rows of the whole fleet, but at least one step. */
    static long lead(int devices) {
        return Math.max(1, LEAD_ROWS / devices);
    }

    /** After how many steps a reader reports again. */
    static long reportEvery(int devices) {
        return Math.max(1, lead(devices) / REPORTS_PER_LEAD);
    }

    /** Notes a reader's step and says whether that changed {@link #slowest()}. */
    boolean note(int reader, long step) {
        long before = slowest();
        steps.put(reader, step);
        return slowest() != before;
    }

    /** The slowest of the readers that have reported, {@link ReaderProgress#DONE} if none has rows left. */
    long slowest() {
        return steps.values().stream().mapToLong(Long::longValue).min().orElse(ReaderProgress.DONE);
    }

    /** Whether a reader has reported and has rows left. */
    boolean isUnderway(int reader) {
        return steps.getOrDefault(reader, ReaderProgress.DONE) != ReaderProgress.DONE;
    }
}
