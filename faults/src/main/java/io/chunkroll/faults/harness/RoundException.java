package io.chunkroll.faults.harness;

/** A round did not come to its end. */
final class RoundException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RoundException(String message) {
        super(message);
    }

    RoundException(String message, Throwable cause) {
        super(message, cause);
    }
}
