package io.chunkroll.job.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Cuts a load into the spans in which one chunk after the other was filled. */
final class ChunkSpans {
    private ChunkSpans() {}

    /**
     * One chunk's time.
     *
     * @param rolls the chunks made at its begin, all at once; none for a chunk that was there before the run
     */
    record Span(List<ChunkRoll> rolls, double from, double to) {
        /** Whether it began with an empty chunk. */
        boolean beganEmpty() {
            return !rolls.isEmpty();
        }

        String name() {
            if (rolls.isEmpty()) {
                return "";
            }
            return rolls.get(0).chunk() + (rolls.size() == 1 ? "" : " and " + (rolls.size() - 1) + " more");
        }

        String rangeStart() {
            return rolls.isEmpty() ? "" : rolls.get(0).rangeStart();
        }

        String rangeEnd() {
            return rolls.isEmpty() ? "" : rolls.get(rolls.size() - 1).rangeEnd();
        }
    }

    /**
     * The spans of a load that went from one moment to another. Chunks made before its first rows belong to its begin, chunks made
     * within the tolerance of each other or for the same time to one roll, and chunks made after its last rows to nothing.
     */
    static List<Span> cut(List<ChunkRoll> rolls, double start, double end, double tolerance) {
        List<ChunkRoll> inOrder = rolls.stream()
                .filter(roll -> roll.elapsedSeconds() < end)
                .sorted(Comparator.comparingDouble(ChunkRoll::elapsedSeconds))
                .toList();
        if (inOrder.isEmpty()) {
            return List.of();
        }
        List<Span> spans = new ArrayList<>();
        List<ChunkRoll> group = new ArrayList<>();
        double from = start;
        for (ChunkRoll roll : inOrder) {
            if (roll.elapsedSeconds() > from + tolerance && !isOfSameTime(group, roll)) {
                spans.add(new Span(List.copyOf(group), from, roll.elapsedSeconds()));
                group.clear();
                from = roll.elapsedSeconds();
            }
            group.add(roll);
        }
        spans.add(new Span(List.copyOf(group), from, end));
        return spans;
    }

    /** Hypertables with a second dimension have several chunks for the same time. */
    private static boolean isOfSameTime(List<ChunkRoll> group, ChunkRoll roll) {
        return !roll.rangeStart().isEmpty()
                && group.stream().anyMatch(other -> other.rangeStart().equals(roll.rangeStart()));
    }

    /**
     * Whether one chunk's time followed on the other's, for most of the spans. Chunks that are filled at once, such as those of two files
     * that are read side by side, do not.
     */
    static boolean areInTurn(List<Span> spans) {
        int known = 0;
        int inTurn = 0;
        for (int i = 1; i < spans.size(); i++) {
            String end = spans.get(i - 1).rangeEnd();
            String start = spans.get(i).rangeStart();
            if (!end.isEmpty() && !start.isEmpty()) {
                known++;
                inTurn += end.equals(start) ? 1 : 0;
            }
        }
        return 2 * inTurn >= known;
    }
}
