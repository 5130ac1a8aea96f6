package io.chunkroll.sources.fleet;

import java.io.IOException;

/**
 * Makes every n-th block of a file. The rows of the blocks between are computed but not spelled out, which costs about a tenth: so
 * several makers can share a file without talking to each other.
 */
final class BlockMaker {
    /** Fixed, as all of this, because a compressed file's bytes depend on where its blocks begin. */
    static final int MOST_BLOCK_ROWS = 8192;

    /** Wide rows make blocks of fewer, lest these grow to many megabytes. */
    private static final int BLOCK_VALUES = 12 * MOST_BLOCK_ROWS;

    private static final int BYTES_PER_VALUE = 20;

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
    private final TextFields fields;
    private final int blockRows;
    private long nextBlock;
    private long row;
    private long step;
    private int slot;

    BlockMaker(FleetOptions fleet, FleetFileFormat format, Compression compression, int firstBlock, int stride) {
        this.fleet = fleet;
        blockRows = blockRows(fleet);
        fields = fields(fleet, format, blockRows * fleet.dataset().valuesPerRow() * BYTES_PER_VALUE);
        this.compression = compression;
        this.stride = stride;
        nextBlock = firstBlock;
        rows = fleet.dataset().generator(fleet, 0, fleet.devices());
    }

    /** What spells rows so. */
    static TextFields fields(FleetOptions fleet, FleetFileFormat format, int capacity) {
        return switch (format) {
            case CSV -> new CsvFields(capacity);
            case TSBS -> new TsbsFields(fleet, capacity);
        };
    }

    private static int blockRows(FleetOptions fleet) {
        return Math.max(
                1, Math.min(MOST_BLOCK_ROWS, BLOCK_VALUES / fleet.dataset().valuesPerRow()));
    }

    static long blocks(FleetOptions fleet) {
        return (fleet.rows() + blockRows(fleet) - 1) / blockRows(fleet);
    }

    /** Makes this maker's next block. */
    Block next() throws IOException {
        long begin = nextBlock * blockRows;
        long end = Math.min(fleet.rows(), begin + blockRows);
        skipTo(begin);
        fields.clear();
        while (row < end) {
            rows.write(slot, step, fields);
            advance();
        }
        nextBlock += stride;
        return new Block(compression.pack(fields.bytes(), fields.length()), (int) (end - begin));
    }

    private void skipTo(long begin) {
        if (fleet.dataset().bytesPerDevice() == 0) {
            row = begin;
            step = row / fleet.devices();
            slot = (int) (row % fleet.devices());
            return;
        }
        while (row < begin) {
            rows.skip(slot, step, step + 1);
            advance();
        }
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
