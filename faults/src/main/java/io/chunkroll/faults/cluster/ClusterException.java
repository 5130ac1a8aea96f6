package io.chunkroll.faults.cluster;

/** The cluster did not do what it was asked to. */
public final class ClusterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ClusterException(String message) {
        super(message);
    }

    ClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
