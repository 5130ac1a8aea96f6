package io.chunkroll.sources.files;

/** Whole rows of a file, as they came. Filled by a {@link BlockReader}, recycled when its rows are read. */
public final class Block {
    /** The rows, from index 0; longer than {@link #limit} by at least one. */
    public byte[] bytes;
    /** Where the rows end. The byte before it is a line feed, or else, at a file's end, the byte there is one. */
    public int limit;
    /** Where in the uncompressed file the first byte stands. */
    public long offset;

    Block(int size) {
        bytes = new byte[size];
    }
}
