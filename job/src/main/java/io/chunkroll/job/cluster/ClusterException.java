package io.chunkroll.job.cluster;

/** The cluster did not answer, or not as it was asked to. */
public final class ClusterException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int NO_ANSWER = 0;
    private static final int NOT_FOUND = 404;
    private static final int SERVER_ERROR = 500;

    private final int status;

    public ClusterException(String message) {
        this(message, NO_ANSWER, null);
    }

    public ClusterException(String message, Throwable cause) {
        this(message, NO_ANSWER, cause);
    }

    ClusterException(String message, int status, Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    /** Whether the cluster knows nothing of what was asked for. */
    public boolean isNotFound() {
        return status == NOT_FOUND;
    }

    /** Whether it may pass: nobody answered, or a JobManager that is not ready yet. */
    public boolean mayPass() {
        return status == NO_ANSWER || status >= SERVER_ERROR;
    }
}
