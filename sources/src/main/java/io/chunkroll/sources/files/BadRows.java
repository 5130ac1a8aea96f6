package io.chunkroll.sources.files;

import io.chunkroll.rows.Origin;
import io.chunkroll.rows.Reject;
import io.chunkroll.rows.Tuple;
import org.apache.flink.core.fs.Path;

/** What becomes of a file's bad rows, and what its good ones carry in case that the server takes them for bad. */
public final class BadRows {
    /** A quote left open takes in the rest of a file: that much of a row is kept. */
    private static final int KEPT_BYTES = 1 << 20;

    private final String file;
    private final boolean rejects;

    /** @param rejects whether bad rows are set aside; if not, they fail the job */
    public BadRows(Path file, boolean rejects) {
        this.file = FileNames.of(file);
        this.rejects = rejects;
    }

    /**
     * The row's account as a tuple.
     *
     * @param column the column that is concerned; may be empty
     * @param hint what the reader of an exception may be told besides; may be empty
     * @throws BadRowException if bad rows fail the job
     */
    public Tuple refuse(Place place, String column, String reason, String hint) {
        boolean cut = place.to() - place.from() > KEPT_BYTES;
        String told = cut ? reason + " (of the row, the first " + KEPT_BYTES + " bytes are kept)" : reason;
        Reject reject = new Reject(origin(place, KEPT_BYTES), column, told);
        if (!rejects) {
            throw new BadRowException(reject, hint);
        }
        return reject.encode();
    }

    /** Whether bad rows are set aside, so that every row must tell where it came from. */
    public boolean areRejected() {
        return rejects;
    }

    /** Where a good row came from. */
    public Origin origin(Place place) {
        return origin(place, Integer.MAX_VALUE);
    }

    private Origin origin(Place place, int most) {
        return new Origin(file, place.offset(), place.line(), place.copy(most));
    }
}
