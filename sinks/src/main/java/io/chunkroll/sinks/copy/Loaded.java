package io.chunkroll.sinks.copy;

import java.util.List;

/**
 * What became of a batch's rows. Together they are all of the batch.
 *
 * @param inserted rows that are new in the table
 * @param skipped rows left out, because their key was there already or came again in the batch
 * @param replaced rows that took the place of another, in the table or earlier in the batch
 * @param filtered rows that the load's filter left out
 * @param refused rows that the server does not take, and that were left out
 */
record Loaded(long inserted, long skipped, long replaced, long filtered, List<RefusedRow> refused) {

    /** None filtered, none refused. */
    Loaded(long inserted, long skipped, long replaced) {
        this(inserted, skipped, replaced, 0, List.of());
    }

    /** All of them new. */
    static Loaded inserted(long rows) {
        return new Loaded(rows, 0, 0);
    }

    /** Those that the server took. */
    long rows() {
        return inserted + skipped + replaced;
    }

    /** Encoded bytes of those of the batch's rows that were not refused; which of them the server filtered it does not say. */
    long bytesOf(Batch batch) {
        long bytes = batch.size();
        for (RefusedRow row : refused) {
            bytes -= batch.end(row.row()) - batch.start(row.row());
        }
        return bytes;
    }

    /** Together with what became of other rows of the same batch. */
    Loaded plus(Loaded other) {
        return new Loaded(
                inserted + other.inserted,
                skipped + other.skipped,
                replaced + other.replaced,
                filtered + other.filtered,
                refused);
    }

    /** The same, and so many filtered. */
    Loaded withFiltered(long rows) {
        return new Loaded(inserted, skipped, replaced, rows, refused);
    }

    /** The same, and these left out. */
    Loaded without(List<RefusedRow> rows) {
        return new Loaded(inserted, skipped, replaced, filtered, List.copyOf(rows));
    }
}
