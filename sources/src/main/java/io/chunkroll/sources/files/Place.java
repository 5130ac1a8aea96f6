package io.chunkroll.sources.files;

import java.util.Arrays;

/**
 * Where a row stands.
 *
 * @param bytes the array that holds it, from {@code from} up to {@code to}, without its line end
 * @param offset where it begins in the uncompressed file
 * @param line where it begins, counted from 1; 0 if that is not known
 */
public record Place(byte[] bytes, int from, int to, long offset, long line) {
    /** The row, or as much of it. */
    public byte[] copy(int most) {
        return Arrays.copyOfRange(bytes, from, from + Math.min(to - from, most));
    }
}
