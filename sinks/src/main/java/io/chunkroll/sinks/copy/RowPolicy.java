package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.reject.RejectOptions;
import io.chunkroll.sinks.table.Conflicts;
import java.io.Serializable;

/**
 * What becomes of rows that the table does not take as they come, or that are not wanted.
 *
 * @param filter which rows are wanted
 * @param conflicts of those whose unique key is there already
 * @param rejects where rows are told of that are left out, or null where a row that the server refuses fails the job
 */
record RowPolicy(CopyFilter filter, Conflicts conflicts, RejectOptions rejects) implements Serializable {
    /** Each of them fails the job, and all are wanted. */
    static final RowPolicy STRICT = new RowPolicy(CopyFilter.NONE, Conflicts.ERROR, null);

    RowPolicy where(CopyFilter other) {
        return new RowPolicy(other, conflicts, rejects);
    }

    RowPolicy onConflict(Conflicts other) {
        return new RowPolicy(filter, other, rejects);
    }

    RowPolicy rejecting(RejectOptions other) {
        return new RowPolicy(filter, conflicts, other);
    }
}
