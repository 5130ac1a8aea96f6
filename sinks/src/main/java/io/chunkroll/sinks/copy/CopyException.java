package io.chunkroll.sinks.copy;

import java.io.IOException;

/** A batch could not be loaded. The message names table, batch and the server's own words. */
public final class CopyException extends IOException {
    private static final long serialVersionUID = 1L;

    CopyException(String message, Throwable cause) {
        super(message, cause);
    }
}
