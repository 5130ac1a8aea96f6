package io.chunkroll.sources.csv;

/** Whole rows of a file, as they came. Filled by a {@link BlockReader}, recycled when its rows are read. */
final class Block {
    /** The rows, from index 0; longer than {@link #limit} by at least one. */
    byte[] bytes;
    /** Where the rows end. The byte before it is a line feed, or else, at a file's end, the byte there is one. */
    int limit;
    /** Where in the uncompressed file the first byte stands. */
    long offset;

    Block(int size) {
        bytes = new byte[size];
    }
}
