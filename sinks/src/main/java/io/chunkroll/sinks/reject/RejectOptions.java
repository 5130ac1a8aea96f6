package io.chunkroll.sinks.reject;

import java.io.Serializable;

/**
 * That rows may be left out, and where they are told of.
 *
 * @param folder where files of rejects are written, as a URI that all machines of the job understand; it belongs to one load, whose
 *     restarts and continuations included
 * @param most more rejects than this, over all of the job, fail it
 */
public record RejectOptions(String folder, long most) implements Serializable {
    /** For {@link #most}: as many as there are. */
    public static final long NO_LIMIT = Long.MAX_VALUE;
}
