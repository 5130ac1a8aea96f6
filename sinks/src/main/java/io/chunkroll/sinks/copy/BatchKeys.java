package io.chunkroll.sinks.copy;

import io.chunkroll.rows.BigEndian;
import io.chunkroll.rows.Tuple;
import java.util.Arrays;

/**
 * The partition keys of a batch, numbered as they come, and found again by hashing. A key's bytes are those of its first row in the batch.
 *
 * <p>One number more stands for rows without a key.
 */
final class BatchKeys {
    private static final int FIBONACCI = 0x9E3779B9;
    private static final int NONE = -1;

    /** Numbers, plus one, by hash; at most half of them are taken. */
    private int[] slots = new int[1 << 8];

    private int[] hashes = new int[1 << 7];
    /** The first eight bytes, shorter keys filled with zeros, in an order that signed comparison keeps. */
    private long[] prefixes = new long[1 << 7];

    private int[] lengths = new int[1 << 7];
    private int[] positions = new int[1 << 7];
    private int[] places = new int[1 << 7];
    private int[] sorted = new int[1 << 7];
    private int[] scratch = new int[1 << 7];
    private int count;
    private int last = NONE;

    void clear() {
        Arrays.fill(slots, 0);
        count = 0;
        last = NONE;
    }

    int count() {
        return count;
    }

    /**
     * The number of the row's key.
     *
     * @param bytes those of the batch
     * @param at where the row begins in them
     */
    int numberOf(Tuple row, byte[] bytes, int at) {
        int length = row.keyOffset() == Tuple.NO_KEY ? NONE : row.keyLength();
        long prefix = prefix(row, length);
        // A fleet's devices mostly come in the same order each time.
        int number = last + 1;
        if (number >= count || !isKey(number, row, length, prefix, bytes)) {
            number = find(row, length, prefix, bytes, at);
        }
        last = number;
        return number;
    }

    private int find(Tuple row, int length, long prefix, byte[] bytes, int at) {
        int slot = slotOf(row.keyHash());
        while (slots[slot] != 0) {
            int number = slots[slot] - 1;
            if (isKey(number, row, length, prefix, bytes)) {
                return number;
            }
            slot = (slot + 1) & (slots.length - 1);
        }
        if (count == hashes.length) {
            grow();
            slot = freeSlot(row.keyHash());
        }
        slots[slot] = count + 1;
        hashes[count] = row.keyHash();
        prefixes[count] = prefix;
        lengths[count] = length;
        positions[count] = at + row.keyOffset();
        return count++;
    }

    private boolean isKey(int number, Tuple row, int length, long prefix, byte[] bytes) {
        if (hashes[number] != row.keyHash() || prefixes[number] != prefix || lengths[number] != length) {
            return false;
        }
        int rest = positions[number] + Long.BYTES;
        int restOfRow = row.keyOffset() + Long.BYTES;
        return length <= Long.BYTES
                || Arrays.equals(
                        bytes,
                        rest,
                        rest + length - Long.BYTES,
                        row.bytes(),
                        restOfRow,
                        restOfRow + length - Long.BYTES);
    }

    private static long prefix(Tuple row, int length) {
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

    private int slotOf(int hash) {
        return (hash * FIBONACCI) >>> (Integer.numberOfLeadingZeros(slots.length) + 1);
    }

    private int freeSlot(int hash) {
        int slot = slotOf(hash);
        while (slots[slot] != 0) {
            slot = (slot + 1) & (slots.length - 1);
        }
        return slot;
    }

    private void grow() {
        int larger = 2 * hashes.length;
        hashes = Arrays.copyOf(hashes, larger);
        prefixes = Arrays.copyOf(prefixes, larger);
        lengths = Arrays.copyOf(lengths, larger);
        positions = Arrays.copyOf(positions, larger);
        places = new int[larger];
        sorted = new int[larger];
        scratch = new int[larger];
        slots = new int[2 * larger];
        for (int number = 0; number < count; number++) {
            slots[freeSlot(hashes[number])] = number + 1;
        }
    }

    /**
     * Where the first row of each key stands when rows are put in the order of their keys' bytes, those without one first.
     *
     * @param bytes those of the batch
     * @param ofRows the number of each row's key
     * @return by number; the caller may count it up
     */
    int[] places(byte[] bytes, int[] ofRows, int rows) {
        sort(bytes);
        Arrays.fill(places, 0, count, 0);
        for (int row = 0; row < rows; row++) {
            places[ofRows[row]]++;
        }
        int place = 0;
        for (int i = 0; i < count; i++) {
            int size = places[sorted[i]];
            places[sorted[i]] = place;
            place += size;
        }
        return places;
    }

    /** A merge sort from the bottom up. */
    private void sort(byte[] bytes) {
        for (int i = 0; i < count; i++) {
            sorted[i] = i;
        }
        for (int width = 1; width < count; width *= 2) {
            for (int low = 0; low < count; low += 2 * width) {
                merge(bytes, low, Math.min(low + width, count), Math.min(low + 2 * width, count));
            }
            int[] swap = sorted;
            sorted = scratch;
            scratch = swap;
        }
    }

    private void merge(byte[] bytes, int low, int middle, int high) {
        int left = low;
        int right = middle;
        for (int at = low; at < high; at++) {
            boolean takeLeft = right == high || (left < middle && compare(bytes, sorted[left], sorted[right]) <= 0);
            scratch[at] = takeLeft ? sorted[left++] : sorted[right++];
        }
    }

    private int compare(byte[] bytes, int a, int b) {
        if (prefixes[a] != prefixes[b]) {
            return Long.compare(prefixes[a], prefixes[b]);
        }
        if (lengths[a] == NONE || lengths[b] == NONE) {
            return Integer.compare(lengths[a], lengths[b]);
        }
        return Arrays.compareUnsigned(
                bytes, positions[a], positions[a] + lengths[a], bytes, positions[b], positions[b] + lengths[b]);
    }
}
