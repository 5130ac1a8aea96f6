package io.chunkroll.server;

/**
 * There is no server to be had: it could not be installed, started or joined. The message is one readable paragraph that says what
 * failed, where the log is, and what to do; it needs no stack trace to be understood.
 */
public final class ServerUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServerUnavailableException(String message) {
        super(message);
    }

    ServerUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
