package io.chunkroll.job.run;

/** More rows were refused than {@code source.max-bad-rows} allows. */
public final class TooManyRejectsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyRejectsException(String message) {
        super(message);
    }
}
