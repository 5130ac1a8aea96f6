package io.chunkroll.sinks.copy;

import io.chunkroll.rows.Origin;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sinks.table.TimeRanges;
import java.util.Arrays;
import java.util.Optional;

/**
 * The rows of one COPY: their bytes one after the other as they came, each followed by its origin if it tells one, and for each where it
 * begins and ends, its time and which of the batch's partition keys it has, by which {@link #order()} sorts without moving a row.
 *
 * <p>Filled by one thread and sent by another, never both at once: {@link CopyWriter} hands it over.
 */
final class Batch {
    private static final int MAX_BYTES = Integer.MAX_VALUE - 1_024;

    private byte[] bytes = new byte[1 << 16];
    private int[] starts = new int[1 << 10];
    private int[] ends = new int[1 << 10];
    private int[] keyNumbers = new int[1 << 10];
    private long[] times = new long[1 << 10];
    private final BatchKeys keys = new BatchKeys();
    private int[] order = new int[1 << 10];
    private int[] scratch = new int[1 << 10];
    private int rows;
    private int used;
    private int size;
    private long minTime;
    private long maxTime;
    private boolean endless;
    private long number;

    Batch() {
        starts[0] = 0;
        reset(0);
    }

    /** Empties the batch; {@code newNumber} is what messages call it. */
    void reset(long newNumber) {
        number = newNumber;
        rows = 0;
        used = 0;
        size = 0;
        minTime = Long.MAX_VALUE;
        maxTime = Long.MIN_VALUE;
        keys.clear();
        endless = false;
    }

    /** Whether a row of this length would find no room in one array. */
    boolean isFullFor(Tuple row) {
        return (long) used + row.length() + row.originLength() > MAX_BYTES;
    }

    void add(Tuple row) {
        int length = row.length() + row.originLength();
        reserve(length);
        System.arraycopy(row.bytes(), 0, bytes, used, length);
        starts[rows] = used;
        ends[rows] = used + row.length();
        keyNumbers[rows] = keys.numberOf(row, bytes, used);
        times[rows] = row.time();
        if (row.hasFiniteTime()) {
            minTime = Math.min(minTime, row.time());
            maxTime = Math.max(maxTime, row.time());
        } else {
            endless |= row.time() != Tuple.NO_TIME;
        }
        rows++;
        size += row.length();
        used += length;
        starts[rows] = used;
    }

    private void reserve(int length) {
        if (bytes.length - used < length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, Math.max(2L * bytes.length, (long) used + length)));
        }
        if (rows + 1 == starts.length) {
            int larger = 2 * starts.length;
            starts = Arrays.copyOf(starts, larger);
            ends = Arrays.copyOf(ends, larger);
            keyNumbers = Arrays.copyOf(keyNumbers, larger);
            times = Arrays.copyOf(times, larger);
            order = new int[larger];
            scratch = new int[larger];
        }
    }

    /** The rows' numbers as they came. */
    int[] arrival() {
        for (int i = 0; i < rows; i++) {
            order[i] = i;
        }
        return order;
    }

    /**
     * The rows' numbers by partition key, then time, then as they came. The rows are dealt out to their keys, of which there are fewer
     * than rows, and those of a key mostly come in the order of their times.
     */
    int[] order() {
        int[] next = keys.places(bytes, keyNumbers, rows);
        for (int row = 0; row < rows; row++) {
            order[next[keyNumbers[row]]++] = row;
        }
        for (int low = 0; low < rows; ) {
            int high = next[keyNumbers[order[low]]];
            sortByTime(low, high);
            low = high;
        }
        return order;
    }

    /** A merge sort from the bottom up, because the rows of a device come as a few long runs, or one. */
    private void sortByTime(int low, int high) {
        if (isInOrder(low, high)) {
            return;
        }
        for (int width = 1; width < high - low; width *= 2) {
            for (int begin = low; begin < high; begin += 2 * width) {
                merge(begin, Math.min(begin + width, high), Math.min(begin + 2 * width, high));
            }
            System.arraycopy(scratch, low, order, low, high - low);
        }
    }

    private boolean isInOrder(int low, int high) {
        for (int at = low + 1; at < high; at++) {
            if (times[order[at - 1]] > times[order[at]]) {
                return false;
            }
        }
        return true;
    }

    /** From {@link #order} into {@link #scratch}. */
    private void merge(int low, int middle, int high) {
        int left = low;
        int right = middle;
        for (int at = low; at < high; at++) {
            boolean takeLeft = right == high || (left < middle && times[order[left]] <= times[order[right]]);
            scratch[at] = takeLeft ? order[left++] : order[right++];
        }
    }

    byte[] bytes() {
        return bytes;
    }

    int start(int row) {
        return starts[row];
    }

    int end(int row) {
        return ends[row];
    }

    /** Where the row came from, if it tells. */
    Optional<Origin> origin(int row) {
        return ends[row] == starts[row + 1]
                ? Optional.empty()
                : Optional.of(Origin.decode(bytes, ends[row], starts[row + 1]));
    }

    int rows() {
        return rows;
    }

    /** How many partition keys the rows have between them. */
    int keys() {
        return keys.count();
    }

    /** The row's time, as {@link Tuple#time()} has it. */
    long time(int row) {
        return times[row];
    }

    boolean hasFiniteTime(int row) {
        return Tuple.isFinite(times[row]);
    }

    /** Whether the row has a time, if only an infinite one. */
    boolean hasTime(int row) {
        return times[row] != Tuple.NO_TIME;
    }

    /** Whether one of the ranges covers the times of all rows that have one; not if one of them is infinite. */
    boolean liesWithin(TimeRanges ranges) {
        return !endless && (minTime > maxTime || ranges.cover(minTime, maxTime));
    }

    /** Bytes of the rows alone. */
    int size() {
        return size;
    }

    boolean isEmpty() {
        return rows == 0;
    }

    long number() {
        return number;
    }

    /** The earliest finite time in the batch; after {@link #maxTime()} if no row has one. */
    long minTime() {
        return minTime;
    }

    long maxTime() {
        return maxTime;
    }
}
