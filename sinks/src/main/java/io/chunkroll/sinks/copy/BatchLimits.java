package io.chunkroll.sinks.copy;

import java.io.Serializable;
import java.time.Duration;

/**
 * When a batch is sent: when it has the rows it should have, or as soon as one of the other limits is reached, and always before a
 * checkpoint.
 *
 * @param rows rows in a batch, at least 1
 * @param rowsPerKey as many rows a partition key on average must the batch have as well; 0 to ask for none. A batch with ten rows of each
 *     device, sorted, visits a device's page of an index once for ten rows
 * @param bytes encoded bytes in a batch; a single row larger than this makes a batch of its own
 * @param age how long the first row of a batch may wait for others, where no batch is being sent; while one is, rows would have to wait
 *     in any case
 */
public record BatchLimits(int rows, int rowsPerKey, long bytes, Duration age) implements Serializable {
    private static final int FEWEST = 50_000;
    private static final int ROWS_PER_KEY = 10;

    public BatchLimits {
        if (rows < 1 || rowsPerKey < 0 || bytes < 1 || age.isNegative() || age.isZero()) {
            throw new IllegalArgumentException("Batch limits must be positive, not " + rows + " rows, " + rowsPerKey
                    + " rows a key, " + bytes + " bytes, " + age);
        }
    }

    /** Batches of a fixed number of rows. */
    public BatchLimits(int rows, long bytes, Duration age) {
        this(rows, 0, bytes, age);
    }

    /** Batches that follow the fleet: ten rows of each device that a writer sees, and at least 50,000. */
    public static BatchLimits following(long bytes, Duration age) {
        return new BatchLimits(FEWEST, ROWS_PER_KEY, bytes, age);
    }

    boolean isReachedBy(Batch batch) {
        return (batch.rows() >= rows && batch.rows() >= (long) rowsPerKey * batch.keys()) || batch.size() >= bytes;
    }
}
