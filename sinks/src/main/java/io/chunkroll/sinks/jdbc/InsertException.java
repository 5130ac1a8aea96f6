package io.chunkroll.sinks.jdbc;

import java.io.IOException;
import java.sql.SQLException;

/** A batch could not be inserted. The message names batch and table, and has the server's own words without the statement's text. */
public final class InsertException extends IOException {
    private static final long serialVersionUID = 1L;

    private InsertException(String message, Throwable cause) {
        super(message, cause);
    }

    /** @param batch as messages call it */
    static InsertException of(String batch, Throwable failure) {
        return new InsertException("INSERT of " + batch + " failed: " + words(failure), failure);
    }

    /** What the innermost of all wrappings says: a batch's own exception repeats the whole INSERT. */
    private static String words(Throwable failure) {
        String words = String.valueOf(failure.getMessage());
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof SQLException) {
                words = at.getMessage();
            }
        }
        return words;
    }
}
