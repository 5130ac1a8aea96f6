package io.chunkroll.sources.files;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Files, settings and table do not fit together. The message names the file, the setting and the remedy. Flink does not restart
 * a job that fails so: it would fail again.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class SourceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SourceException(String message) {
        super(message);
    }

    public SourceException(String message, Throwable cause) {
        super(message, cause);
    }
}
