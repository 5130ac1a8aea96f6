package io.chunkroll.job.run;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
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
 * Remembers why the first task of a job failed, which is why the job did.
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

    /** The reason of the task that failed first. */
    Optional<Throwable> first() {
        return Optional.ofNullable(listener.first.get());
    }

    @Override
    public void close() {
        logging.ifPresent(context -> {
            context.getConfiguration().getRootLogger().removeAppender(listener.getName());
            context.updateLoggers();
        });
        listener.stop();
    }

    private static final class Listener extends AbstractAppender {
        private final AtomicReference<Throwable> first = new AtomicReference<>();

        private Listener() {
            super("task-failures", (Filter) null, (Layout<?>) null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            if (event.getThrown() != null
                    && event.getLoggerName().equals(Task.class.getName())
                    && event.getMessage().getFormattedMessage().contains(" to FAILED ")) {
                first.compareAndSet(null, event.getThrown());
            }
        }
    }
}
