package io.chunkroll.sinks.table;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The times that chunks or partitions cover, in microseconds since 1970. Rows that come together mostly lie together: so the range that was
 * found last is looked at first, which is a comparison of two numbers.
 */
public final class TimeRanges {

    /**
     * What one chunk or partition covers.
     *
     * @param end behind its last time; {@link Long#MAX_VALUE} for no end, so that it takes infinity, too
     * @param name its table, as SQL names it
     */
    public record Range(long start, long end, String name) {
        private boolean takes(long from, long to) {
            return start <= from && (to < end || end == Long.MAX_VALUE);
        }
    }

    private final NavigableMap<Long, Range> byStart = new TreeMap<>();
    private Range last = new Range(Long.MAX_VALUE, Long.MIN_VALUE, "");

    public void add(Range range) {
        byStart.put(range.start(), range);
    }

    /** Forgets them all. */
    public void clear() {
        byStart.clear();
        last = new Range(Long.MAX_VALUE, Long.MIN_VALUE, "");
    }

    /** Whether one range covers both times and what lies between. */
    public boolean cover(long from, long to) {
        if (last.takes(from, to)) {
            return true;
        }
        Map.Entry<Long, Range> entry = byStart.floorEntry(from);
        if (entry == null || !entry.getValue().takes(from, to)) {
            return false;
        }
        last = entry.getValue();
        return true;
    }

    public boolean cover(long time) {
        return cover(time, time);
    }

    /** The range of a time. */
    public Optional<Range> at(long time) {
        return cover(time) ? Optional.of(last) : Optional.empty();
    }

    /** What lies open around a time that no range covers, within the range given. */
    Range gap(long time, Range within) {
        Map.Entry<Long, Range> before = byStart.floorEntry(time);
        Map.Entry<Long, Range> after = byStart.higherEntry(time);
        return new Range(
                before == null
                        ? within.start()
                        : Math.max(within.start(), before.getValue().end()),
                after == null ? within.end() : Math.min(within.end(), after.getKey()),
                within.name());
    }
}
