package io.chunkroll.sources.files;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Reads a file, or a range of one, in blocks that hold whole rows; what is left behind a block's last row begins the next one.
 *
 * <p>A range ends with the row whose line end is the first at or after the range's last byte: that row begins before the
 * range's end, and the next one does not. One thread reads, another may recycle.
 */
public final class BlockReader implements Closeable {
    public static final int BLOCK_BYTES = 256 * 1024;
    /** The {@code end} of a range that goes on to the file's end; half the greatest number, so that sums do not overflow. */
    public static final long TO_THE_END = Long.MAX_VALUE / 2;

    private static final int BEYOND_RANGE_BYTES = 16 * 1024;
    private static final int LARGEST_POOLED_BYTES = 8 * BLOCK_BYTES;
    private static final long ONE_GIB = 1L << 30;
    private static final byte NEWLINE = '\n';

    private final InputStream in;
    private final long end;
    private final RowEnds rowEnds;
    private final int blockBytes;
    private final Queue<Block> pool = new ConcurrentLinkedQueue<>();

    /** Where in the file the stream's next byte stands. */
    private long position;
    /** Read, but not handed out: {@code rest[restFrom..restTo)}. */
    private byte[] rest = new byte[0];

    private int restFrom;
    private int restTo;
    private boolean endOfFile;
    private boolean finished;

    /**
     * @param in stands at {@code start}; closed with this reader
     * @param rowEnds tells which line ends end a row
     */
    public BlockReader(InputStream in, long start, long end, RowEnds rowEnds, int blockBytes) {
        this.in = in;
        this.end = end;
        this.rowEnds = rowEnds;
        this.blockBytes = blockBytes;
        position = start;
        finished = start >= end;
    }

    /** Skips what is left of the row in whose midst, or in whose line end, the range begins. */
    void skipToNextRow() throws IOException {
        Block block = new Block(blockBytes);
        int kept = 0;
        while (!finished) {
            int filled = fill(block, kept);
            int next = rowEnds.first(block.bytes, 0, filled);
            if (next >= 0) {
                rest = block.bytes;
                restFrom = next;
                restTo = filled;
                finished = position - filled + restFrom >= end;
                return;
            }
            finished = endOfFile || position >= end + rowEnds.lookahead();
            kept = Math.min(filled, rowEnds.lookahead());
            System.arraycopy(block.bytes, filled - kept, block.bytes, 0, kept);
        }
    }

    /** The next rows, or null if there are no more. The block is the caller's until it is recycled. */
    public Block next() throws IOException {
        if (finished) {
            return null;
        }
        Block block = takeBlock();
        int filled = takeRest(block);
        block.offset = position - filled;
        int limit = 0;
        while (limit == 0) {
            if (filled == capacity(block)) {
                grow(block);
            }
            filled = fill(block, filled);
            limit = rowsEnd(block, filled);
            if (endOfFile && !finished) {
                finished = true;
                limit = filled;
                block.bytes[limit] = NEWLINE;
                break;
            }
        }
        block.limit = limit;
        rest = block.bytes;
        restFrom = limit;
        restTo = filled;
        return limit == 0 ? null : block;
    }

    /** Takes a block back whose rows are done with. */
    void recycle(Block block) {
        if (block.bytes.length <= LARGEST_POOLED_BYTES) {
            pool.add(block);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private Block takeBlock() {
        Block pooled = pool.poll();
        return pooled == null ? new Block(blockBytes) : pooled;
    }

    private int takeRest(Block block) {
        int length = restTo - restFrom;
        if (capacity(block) < length) {
            block.bytes = new byte[length + 1];
        }
        System.arraycopy(rest, restFrom, block.bytes, 0, length);
        return length;
    }

    /** One byte is kept for the line feed after a file's last row. */
    private static int capacity(Block block) {
        return block.bytes.length - 1;
    }

    /** Reads until the block is full, the file ends, or the range and some bytes after it are read. */
    private int fill(Block block, int from) throws IOException {
        long wanted = Math.max(end - position, 0) + BEYOND_RANGE_BYTES;
        int to = (int) Math.min(capacity(block), from + wanted);
        int filled = from;
        while (filled < to && !endOfFile) {
            int read = in.read(block.bytes, filled, to - filled);
            if (read < 0) {
                endOfFile = true;
            } else {
                filled += read;
                position += read;
            }
        }
        return filled;
    }

    /** Where the last row that is complete ends, or 0 if none is; notes whether it is the range's last. */
    private int rowsEnd(Block block, int filled) {
        long rangeEnd = end - 1 - block.offset;
        if (rangeEnd < filled) {
            int next = rowEnds.first(block.bytes, (int) rangeEnd, filled);
            if (next >= 0) {
                finished = true;
                return next;
            }
        }
        return Math.max(rowEnds.last(block.bytes, filled), 0);
    }

    private void grow(Block block) throws IOException {
        long largest = longestRow();
        if (block.bytes.length >= largest) {
            throw new IOException("The row at byte " + block.offset + " is longer than " + (largest >> 20)
                    + " MiB, an eighth of the heap and at most 1 GiB. Is a quote left open there? If rows are that long, give"
                    + " the task managers more memory.");
        }
        block.bytes = Arrays.copyOf(block.bytes, (int) Math.min(2L * block.bytes.length, largest));
    }

    /** The longest row that is read, in bytes. PostgreSQL itself takes none longer than 1 GiB. */
    public static long longestRow() {
        return Math.min(ONE_GIB, Runtime.getRuntime().maxMemory() / 8);
    }
}
