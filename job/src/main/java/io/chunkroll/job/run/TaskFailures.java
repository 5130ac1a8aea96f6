package io.chunkroll.job.run;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.runtime.taskmanager.Task;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Filter;
import org.apache.logging.log4j.core.Layout;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/**
 * Remembers why the first task of a job failed, which is why the job did; of its last attempt, where it was restarted.
 *
 * <p>The job's own result often does not tell. A coordinator that talks to the task at that moment is faster, and the job then fails of
 * "An OperatorEvent was lost"; a writer that fails once more while it is closed takes the whole task executor with it. In both cases
 * Flink drops the task's reason everywhere but in its log, so it is taken from there.
 */
final class TaskFailures implements AutoCloseable {
    private final Optional<LoggerContext> logging;
    private final Listener listener = new Listener();

    private TaskFailures(Optional<LoggerContext> logging) {
        this.logging = logging;
    }

    /** Listens from now on; hears nothing where the log is not written by Log4j. */
    static TaskFailures listen() {
        TaskFailures failures = new TaskFailures(
                LogManager.getContext(false) instanceof LoggerContext context
                        ? Optional.of(context)
                        : Optional.empty());
        failures.listener.start();
        failures.logging.ifPresent(context -> {
            context.getConfiguration().getRootLogger().addAppender(failures.listener, Level.WARN, null);
            context.updateLoggers();
        });
        return failures;
    }

    /** The reason of the task that failed first in the job's last attempt. */
    Optional<Throwable> first() {
        return Optional.ofNullable(listener.first.get()).map(Failure::reason);
    }

    @Override
    public void close() {
        logging.ifPresent(context -> {
            context.getConfiguration().getRootLogger().removeAppender(listener.getName());
            context.updateLoggers();
        });
        listener.stop();
    }

    private record Failure(int attempt, Throwable reason) {
        private Failure orLater(Failure other) {
            return other.attempt > attempt ? other : this;
        }
    }

    private static final class Listener extends AbstractAppender {
        /** As Flink writes it, {@code sink: Writer (1/2)#3 (…) switched from RUNNING to FAILED with failure cause:}. */
        private static final Pattern FAILED = Pattern.compile("#(\\d+) .* to FAILED ", Pattern.DOTALL);

        private final AtomicReference<Failure> first = new AtomicReference<>();

        private Listener() {
            super("task-failures", (Filter) null, (Layout<?>) null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            if (event.getThrown() == null || !event.getLoggerName().equals(Task.class.getName())) {
                return;
            }
            Matcher failed = FAILED.matcher(event.getMessage().getFormattedMessage());
            if (failed.find()) {
                Failure failure = new Failure(Integer.parseInt(failed.group(1)), event.getThrown());
                first.accumulateAndGet(failure, (known, now) -> known == null ? now : known.orLater(now));
            }
        }
    }
}
