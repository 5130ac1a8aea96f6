package io.chunkroll.job.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.chunkroll.job.map.MapException;
import io.chunkroll.job.report.ReportException;
import io.chunkroll.job.settings.SettingsException;
import io.chunkroll.server.ServerUnavailableException;
import io.chunkroll.sinks.copy.CopyException;
import io.chunkroll.sinks.jdbc.InsertException;
import io.chunkroll.sinks.reject.TooManyRejectsException;
import io.chunkroll.sinks.table.TargetException;
import io.chunkroll.sources.files.BadRowException;
import io.chunkroll.sources.files.SourceException;
import java.sql.SQLException;
import java.util.List;
import org.apache.flink.util.SerializedThrowable;

/** Finds, under all the wrapping, the one thing that went wrong, and says it in a paragraph. */
public final class Failures {
    /** Those whose messages are written for the user, with place and remedy in them. */
    private static final List<Class<? extends Throwable>> TELLING = List.of(
            SettingsException.class,
            TargetException.class,
            ServerUnavailableException.class,
            CopyException.class,
            InsertException.class,
            SourceException.class,
            BadRowException.class,
            MapException.class,
            TooManyRejectsException.class,
            RunException.class,
            ReportException.class);

    private static final int DEEPEST = 50;

    private Failures() {}

    /** The first cause as one paragraph without line breaks. */
    public static String explain(Throwable failure) {
        Throwable root = failure;
        Throwable sql = null;
        Throwable at = failure;
        for (int depth = 0; at != null && depth < DEEPEST; depth++) {
            Throwable real = unwrap(at);
            if (TELLING.stream().anyMatch(type -> type.isInstance(real))) {
                return oneLine(real.getMessage());
            }
            if (sql == null && real instanceof SQLException) {
                sql = real;
            }
            root = real;
            at = real.getCause();
        }
        return describe(sql == null ? root : sql);
    }

    private static Throwable unwrap(Throwable at) {
        return at instanceof SerializedThrowable serialized
                ? serialized.deserializeError(Failures.class.getClassLoader())
                : at;
    }

    private static String describe(Throwable root) {
        if (root instanceof SQLException sql) {
            return "The database refused: " + oneLine(sql.getMessage()) + " (SQLState " + sql.getSQLState() + ")";
        }
        if (root instanceof JsonProcessingException json) {
            return oneLine(json.getOriginalMessage());
        }
        String message = root.getMessage();
        return message == null || message.isBlank()
                ? root.getClass().getName()
                : root.getClass().getSimpleName() + ": " + oneLine(message);
    }

    /** A text of several lines as one. */
    public static String oneLine(String text) {
        return text == null ? "" : text.strip().replaceAll("\\s*\\R\\s*", " | ");
    }
}
