package io.chunkroll.sinks.copy;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.Set;

/** Which failures pass by themselves, and how long to wait for that. States are those of PostgreSQL's manual, appendix A. */
public final class RetryPolicy {
    private static final Set<String> TRANSIENT = Set.of(
            "40001", // serialization_failure
            "40P01", // deadlock_detected
            "25006", // read_only_sql_transaction: a standby that is not promoted yet
            "55P03", // lock_not_available
            "57P01", // admin_shutdown
            "57P02", // crash_shutdown
            "57P03", // cannot_connect_now
            "57P05", // idle_session_timeout
            "25P03"); // idle_in_transaction_session_timeout
    private static final String CONNECTION_EXCEPTION = "08";
    /** Disk full, out of memory, too many connections. */
    private static final String INSUFFICIENT_RESOURCES = "53";

    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 3_000;
    private static final long SHORTEST_WAIT_MILLIS = 30_000;

    private final Duration retryFor;

    RetryPolicy(Duration retryFor) {
        this.retryFor = retryFor;
    }

    /** Whether the failure may pass by itself. */
    public static boolean isTransient(SQLException failure) {
        String state = failure.getSQLState();
        if (state == null) {
            return failure instanceof SQLTransientException || failure.getCause() instanceof IOException;
        }
        return TRANSIENT.contains(state)
                || state.startsWith(CONNECTION_EXCEPTION)
                || state.startsWith(INSUFFICIENT_RESOURCES);
    }

    /** Whether the server refuses a row for what is in it: a value, a constraint, a limit, or what a trigger raises. */
    static boolean isRefusedRow(SQLException failure) {
        String state = failure.getSQLState() == null ? "" : failure.getSQLState();
        return state.startsWith("22") || state.startsWith("23") || state.startsWith("54") || state.startsWith("P0");
    }

    /**
     * Lets the connection wait for an answer to a short statement no longer than attempts are made: one whose packets vanish would say
     * nothing for ten minutes.
     */
    void limitWaiting(Connection connection) throws SQLException {
        connection.setNetworkTimeout(
                Runnable::run, Math.toIntExact(Math.max(SHORTEST_WAIT_MILLIS, retryFor.toMillis())));
    }

    /** How long attempts are made. */
    Duration patience() {
        return retryFor;
    }

    /** Whether a failure that has lasted for so many nanoseconds is worth another attempt. */
    boolean allows(long nanosSinceFirst) {
        return nanosSinceFirst < retryFor.toNanos();
    }

    /** The pause before attempt 1, 2, …, doubled each time up to a limit. */
    public static long pauseMillis(int attempt) {
        return Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(attempt - 1, 10));
    }
}
