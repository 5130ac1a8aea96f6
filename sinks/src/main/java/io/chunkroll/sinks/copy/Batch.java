package io.chunkroll.sinks.copy;

import io.chunkroll.rows.BigEndian;
import io.chunkroll.rows.Origin;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sinks.table.TimeRanges;
import java.util.Arrays;
import java.util.Optional;

/**
 * The rows of one COPY: their bytes one after the other as they came, each followed by its origin if it tells one, and for each where it
 * begins and ends, its time and the first eight bytes of its partition key, by which {@link #order()} sorts without moving a row.
 *
 * <p>Filled by one thread and sent by another, never both at once: {@link CopyWriter} hands it over.
 */
final class Batch {
    private static final int MAX_BYTES = Integer.MAX_VALUE - 1_024;

    private byte[] bytes = new byte[1 << 16];
    private int[] starts = new int[1 << 10];
    private int[] ends = new int[1 << 10];
    private int[] keys = new int[1 << 10];
    private long[] times = new long[1 << 10];
    private long[] prefixes = new long[1 << 10];
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
        keys[rows] = row.keyOffset();
        times[rows] = row.time();
        prefixes[rows] = prefix(row);
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

    /** The first eight bytes of the key, shorter keys filled with zeros, in an order that signed comparison keeps. */
    private static long prefix(Tuple row) {
        int length = row.keyLength();
        long prefix = 0;
        if (length >= Long.BYTES) {
            prefix = BigEndian.getLong(row.bytes(), row.keyOffset());
        } else {
            for (int i = 0; i < length; i++) {
                prefix |= (row.bytes()[row.keyOffset() + i] & 0xffL) << (56 - 8 * i);
            }
        }
        return prefix ^ Long.MIN_VALUE;
    }

    private void reserve(int length) {
        if (bytes.length - used < length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, Math.max(2L * bytes.length, (long) used + length)));
        }
        if (rows + 1 == starts.length) {
            int larger = 2 * starts.length;
            starts = Arrays.copyOf(starts, larger);
            ends = Arrays.copyOf(ends, larger);
            keys = Arrays.copyOf(keys, larger);
            times = Arrays.copyOf(times, larger);
            prefixes = Arrays.copyOf(prefixes, larger);
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
     * The rows' numbers by partition key, then time, then as they came: a merge sort from the bottom up, because the rows of a fleet come
     * as a few long runs.
     */
    int[] order() {
        arrival();
        int[] from = order;
        int[] to = scratch;
        for (int width = 1; width < rows; width = Math.min(2 * width, rows)) {
            for (int low = 0; low < rows; low += 2 * width) {
                merge(from, to, low, Math.min(low + width, rows), Math.min(low + 2 * width, rows));
            }
            int[] swap = from;
            from = to;
            to = swap;
        }
        order = from;
        scratch = to;
        return order;
    }

    private void merge(int[] from, int[] to, int low, int middle, int high) {
        if (middle >= high || compare(from[middle - 1], from[middle]) <= 0) {
            System.arraycopy(from, low, to, low, high - low);
            return;
        }
        int left = low;
        int right = middle;
        for (int at = low; at < high; at++) {
            boolean takeLeft = right == high || (left < middle && compare(from[left], from[right]) <= 0);
            to[at] = takeLeft ? from[left++] : from[right++];
        }
    }

    private int compare(int a, int b) {
        if (prefixes[a] != prefixes[b]) {
            return Long.compare(prefixes[a], prefixes[b]);
        }
        int byKey = compareKeys(a, b);
        return byKey != 0 ? byKey : Long.compare(times[a], times[b]);
    }

    private int compareKeys(int a, int b) {
        if (keys[a] == Tuple.NO_KEY || keys[b] == Tuple.NO_KEY) {
            return Integer.compare(keys[a], keys[b]);
        }
        int keyA = starts[a] + keys[a];
        int keyB = starts[b] + keys[b];
        int lengthA = BigEndian.getInt(bytes, keyA - Integer.BYTES);
        int lengthB = BigEndian.getInt(bytes, keyB - Integer.BYTES);
        return Arrays.compareUnsigned(bytes, keyA, keyA + lengthA, bytes, keyB, keyB + lengthB);
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
