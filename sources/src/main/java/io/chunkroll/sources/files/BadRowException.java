package io.chunkroll.sources.files;

import io.chunkroll.rows.Origin;
import io.chunkroll.rows.Reject;
import java.nio.charset.StandardCharsets;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * A row cannot be loaded, and bad rows fail the load. The message names the file, the byte offset in the
 * uncompressed file, the line where that is known, column, reason, and the row, cut and with its control characters escaped.
 * Flink does not restart a job that fails so: it would meet the same row again.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class BadRowException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int EXCERPT_BYTES = 200;

    public BadRowException(Reject reject, String hint) {
        super(describe(reject) + hint + " To set bad rows aside and load the others, give source.on-bad-row reject.");
    }

    private static String describe(Reject reject) {
        Origin origin = reject.origin();
        StringBuilder text = new StringBuilder("Bad row in ")
                .append(origin.file())
                .append(" at byte ")
                .append(origin.offset());
        if (origin.line() > 0) {
            text.append(", line ").append(origin.line());
        }
        if (!reject.column().isEmpty()) {
            text.append(", column ").append(reject.column());
        }
        return text.append(": ")
                .append(reject.reason())
                .append(". The row: ")
                .append(excerpt(origin.row()))
                .append('.')
                .toString();
    }

    /** The row's beginning on one line. */
    public static String excerpt(byte[] row) {
        String text = new String(row, 0, Math.min(row.length, EXCERPT_BYTES), StandardCharsets.UTF_8);
        StringBuilder escaped = new StringBuilder("[");
        text.codePoints().forEach(character -> {
            switch (character) {
                case '\n' -> escaped.append("\\n");
                case '\r' -> escaped.append("\\r");
                case '\t' -> escaped.append("\\t");
                default -> {
                    if (Character.isISOControl(character)) {
                        escaped.append(String.format("\\u%04X", character));
                    } else {
                        escaped.appendCodePoint(character);
                    }
                }
            }
        });
        escaped.append(']');
        if (row.length > EXCERPT_BYTES) {
            escaped.append(" … (").append(row.length).append(" bytes)");
        }
        return escaped.toString();
    }
}
