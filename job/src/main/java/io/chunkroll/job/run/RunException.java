package io.chunkroll.job.run;

/** A run cannot start or did not end well; the message says why and what to do, in words for the user. */
public final class RunException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public RunException(String message) {
        super(message);
    }

    public RunException(String message, Throwable cause) {
        super(message, cause);
    }
}
