package io.chunkroll.sinks.reject;

import io.chunkroll.sinks.transaction.TransactionId;
import java.io.Serializable;

/**
 * That rows may be left out, and where they are told of.
 *
 * @param folder where files of rejects are written, as a URI that all machines of the job understand
 * @param load what the load's files have in their names, formed as a transaction's prefix is: the same over restarts and resubmissions,
 *     and no other load's in that folder
 * @param most more rejects than this, over all of the job, fail it
 */
public record RejectOptions(String folder, String load, long most) implements Serializable {
    /** For {@link #most}: as many as there are. */
    public static final long NO_LIMIT = Long.MAX_VALUE;

    public RejectOptions {
        if (!TransactionId.isPrefix(load)) {
            throw new IllegalArgumentException("'" + load + "' cannot be in the name of a file of rejects");
        }
    }
}
