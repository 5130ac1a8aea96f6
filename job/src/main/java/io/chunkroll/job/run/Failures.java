package io.chunkroll.job.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.chunkroll.job.cluster.ClusterException;
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
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.flink.runtime.operators.coordination.TaskNotRunningException;
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
            ClusterException.class,
            ReportException.class);

    private static final int DEEPEST = 50;
    private static final Pattern CAUSE = Pattern.compile("(?m)^\\s*Caused by: ");
    /** Where the message ends and the places begin. */
    private static final Pattern FRAMES = Pattern.compile("(?m)^\\s*(at |\\.\\.\\. \\d+ more|Suppressed: )");

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

    /**
     * What a job failed from. A source that speaks to a task which has just failed gives a reason of its own, before or after the true one.
     *
     * @param traces stack traces, newest first
     */
    static Optional<String> explainTraces(List<String> traces) {
        List<String> reasons = traces.stream().map(Failures::explainTrace).toList();
        return reasons.stream()
                .filter(reason -> !reason.startsWith(TaskNotRunningException.class.getName()))
                .findFirst()
                .or(() -> reasons.stream().findFirst());
    }

    /** The same of a failure of which only the stack trace is known, as a cluster tells it. */
    public static String explainTrace(String trace) {
        String last = "";
        for (String cause : CAUSE.split(trace)) {
            String told = FRAMES.split(cause, 2)[0].strip();
            int colon = told.indexOf(": ");
            String type = colon < 0 ? told : told.substring(0, colon);
            if (TELLING.stream().anyMatch(telling -> telling.getName().equals(type))) {
                return oneLine(colon < 0 ? told : told.substring(colon + 2));
            }
            last = told;
        }
        return oneLine(last);
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
