package io.chunkroll.sinks.table;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * The target cannot take this load as it is asked for; the message says why and what to change, in words for the user. Flink does not
 * restart a job that fails so: it would fail again.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class TargetException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TargetException(String message) {
        super(message);
    }

    public TargetException(String message, Throwable cause) {
        super(message, cause);
    }
}
