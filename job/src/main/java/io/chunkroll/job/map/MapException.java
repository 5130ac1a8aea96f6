package io.chunkroll.job.map;

import org.apache.flink.util.SerializedThrowable;

/** The user's function failed, or gave a row that cannot be loaded; the message says of which row. */
public final class MapException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param cause may be of a class that only the user's jar has, and is told of far from it */
    MapException(String message, Throwable cause) {
        super(message, new SerializedThrowable(cause));
    }
}
