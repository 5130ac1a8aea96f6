package io.chunkroll.sinks.copy;

/**
 * What became of a batch's rows. Together they are all of the batch.
 *
 * @param inserted rows that are new in the table
 * @param skipped rows left out, because their key was there already or came again in the batch
 * @param replaced rows that took the place of another, in the table or earlier in the batch
 */
record Loaded(long inserted, long skipped, long replaced) {

    /** All of them new. */
    static Loaded inserted(long rows) {
        return new Loaded(rows, 0, 0);
    }

    long rows() {
        return inserted + skipped + replaced;
    }
}
