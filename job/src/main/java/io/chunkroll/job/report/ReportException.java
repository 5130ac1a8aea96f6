package io.chunkroll.job.report;

/** A run folder that cannot be read or a report that cannot be written. The message says which file, why, and what to do. */
public final class ReportException extends RuntimeException {
    ReportException(String message) {
        super(message);
    }

    ReportException(String message, Throwable cause) {
        super(message, cause);
    }
}
