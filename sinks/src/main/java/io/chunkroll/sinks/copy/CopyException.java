package io.chunkroll.sinks.copy;

import java.io.IOException;
import java.sql.SQLException;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/** A batch could not be loaded. The message names table, batch and the server's own words. */
public sealed class CopyException extends IOException {
    private static final long serialVersionUID = 1L;

    private CopyException(String message, SQLException cause) {
        super(message, cause);
    }

    static CopyException of(String message, SQLException cause) {
        return RetryPolicy.isRefusedRow(cause) ? new RefusedRow(message, cause) : new CopyException(message, cause);
    }

    /** The server refuses a row for what is in it. Flink does not restart a job that fails so: it would meet the same row again. */
    @ThrowableAnnotation(ThrowableType.NonRecoverableError)
    private static final class RefusedRow extends CopyException {
        private static final long serialVersionUID = 1L;

        private RefusedRow(String message, SQLException cause) {
            super(message, cause);
        }
    }
}
