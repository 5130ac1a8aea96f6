package io.chunkroll.sources.fleet;

import java.io.IOException;

/**
 * Makes every n-th block of a file. The rows of the blocks between are computed but not spelled out, which costs about a tenth: so
 * several makers can share a file without talking to each other.
 */
final class BlockMaker {
    /** Fixed, because a compressed file's bytes depend on where its blocks begin. */
    static final int BLOCK_ROWS = 8192;

    private static final int BYTES_PER_ROW = 256;

    /**
     * A piece of the file.
     *
     * @param bytes as they go into the file
     * @param rows how many rows they hold
     */
    record Block(byte[] bytes, int rows) {}

    private final FleetOptions fleet;
    private final Compression compression;
    private final int stride;
    private final RowGenerator rows;
    private final CsvFields fields = new CsvFields(BLOCK_ROWS * BYTES_PER_ROW);
    private long nextBlock;
    private long row;
    private long step;
    private int slot;

    BlockMaker(FleetOptions fleet, Compression compression, int firstBlock, int stride) {
        this.fleet = fleet;
        this.compression = compression;
        this.stride = stride;
        nextBlock = firstBlock;
        rows = fleet.dataset().generator(fleet, 0, fleet.devices());
    }

    static long blocks(FleetOptions fleet) {
        return (fleet.rows() + BLOCK_ROWS - 1) / BLOCK_ROWS;
    }

    /** Makes this maker's next block. */
    Block next() throws IOException {
        long begin = nextBlock * BLOCK_ROWS;
        long end = Math.min(fleet.rows(), begin + BLOCK_ROWS);
        while (row < begin) {
            rows.skip(slot, step, step + 1);
            advance();
        }
        fields.clear();
        while (row < end) {
            rows.write(slot, step, fields);
            advance();
        }
        nextBlock += stride;
        return new Block(compression.pack(fields.bytes(), fields.length()), (int) (end - begin));
    }

    private void advance() {
        row++;
        slot++;
        if (slot == fleet.devices()) {
            slot = 0;
            step++;
        }
    }
}
