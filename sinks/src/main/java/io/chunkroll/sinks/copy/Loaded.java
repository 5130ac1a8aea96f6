package io.chunkroll.sinks.copy;

import java.util.List;

/**
 * What became of a batch's rows. Together they are all of the batch.
 *
 * @param inserted rows that are new in the table
 * @param refused rows that the server does not take, and that were left out
 */
record Loaded(long inserted, List<RefusedRow> refused) {

    /** All of them new. */
    Loaded(long inserted) {
        this(inserted, List.of());
    }

    /** Encoded bytes of those of the batch's rows that were not left out. */
    long bytesOf(Batch batch) {
        long bytes = batch.size();
        for (RefusedRow row : refused) {
            bytes -= batch.end(row.row()) - batch.start(row.row());
        }
        return bytes;
    }

    /** Together with what became of other rows of the same batch. */
    Loaded plus(Loaded other) {
        return new Loaded(inserted + other.inserted, refused);
    }

    /** The same, and these left out. */
    Loaded without(List<RefusedRow> rows) {
        return new Loaded(inserted, List.copyOf(rows));
    }
}
