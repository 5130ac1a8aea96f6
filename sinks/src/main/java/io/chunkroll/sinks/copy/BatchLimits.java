package io.chunkroll.sinks.copy;

import java.io.Serializable;
import java.time.Duration;

/**
 * When a batch is sent: as soon as one of these is reached, and always before a checkpoint.
 *
 * @param rows rows in a batch, at least 1
 * @param bytes encoded bytes in a batch; a single row larger than this makes a batch of its own
 * @param age how long the first row of a batch may wait for others
 */
public record BatchLimits(int rows, long bytes, Duration age) implements Serializable {

    public BatchLimits {
        if (rows < 1 || bytes < 1 || age.isNegative() || age.isZero()) {
            throw new IllegalArgumentException(
                    "Batch limits must be positive, not " + rows + " rows, " + bytes + " bytes, " + age);
        }
    }
}
