package io.chunkroll.job.run;

import io.chunkroll.job.map.MapClass;
import io.chunkroll.job.settings.FlinkPaths;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.sinks.reject.RejectOptions;
import io.chunkroll.sinks.table.ConnectionOptions;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.client.JobCancellationException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.FileUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job in a MiniCluster of this process.
 *
 * <p>At-least-once, it is not restarted when it fails: what passes by itself the sink tries again by itself, and what does not would not
 * be mended by a restart, which could only double rows. Exactly-once, it is, from its last checkpoint: a transaction that is lost with its
 * connection cannot be tried again otherwise.
 */
final class LocalJob implements RunningJob {
    private static final Logger LOG = LoggerFactory.getLogger(LocalJob.class);
    private static final Duration STOP_PATIENCE = Duration.ofMinutes(3);
    private static final Duration BETWEEN_STOPS = Duration.ofMillis(500);
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final int MOST_RESTARTS = 10;

    private final JobClient client;
    private final CompletableFuture<JobExecutionResult> result;
    private final RunMetrics metrics;
    private final Path work;
    private final TaskFailures failures;
    private boolean stopped;

    private LocalJob(JobClient client, RunMetrics metrics, Path work, TaskFailures failures) {
        this.client = client;
        this.failures = failures;
        this.metrics = metrics;
        this.work = work;
        result = client.getJobExecutionResult();
    }

    /**
     * Starts the job.
     *
     * @param folder the run folder; checkpoints live in it while the job runs
     * @param rejects where refused rows are told of, if they are
     */
    static LocalJob start(
            Load load, Optional<ConnectionOptions> server, Path folder, RejectOptions rejects, String name) {
        Path work = folder.resolve("checkpoints").toAbsolutePath();
        String run = folder.toAbsolutePath().toString();
        Configuration configuration = restarts(load.settings())
                .set(RestOptions.BIND_PORT, "0")
                .set(RestOptions.PORT, 0)
                .set(RestOptions.BIND_ADDRESS, "127.0.0.1")
                .set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem")
                .set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, FlinkPaths.uri(work));
        load.settings()
                .job()
                .map()
                .flatMap(MapClass::jar)
                .ifPresent(jar -> configuration.set(
                        PipelineOptions.CLASSPATHS,
                        List.of(jar.toAbsolutePath().toUri().toString())));
        configuration.setString("metrics.reporter.run.factory.class", RunMetricsFactory.class.getName());
        configuration.setString("metrics.reporter.run." + RunMetrics.RUN, run);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(
                load.settings().job().parallelism(), configuration);
        boolean rejecting = load.settings().source().mostRejects().isPresent();
        Pipeline.build(env, load, server, rejecting ? Optional.of(rejects) : Optional.empty());
        TaskFailures failures = TaskFailures.listen();
        try {
            return new LocalJob(env.executeAsync(name), RunMetrics.take(run), work, failures);
        } catch (Exception e) {
            failures.close();
            throw new RunException("The job does not start: " + reason(e), e);
        }
    }

    /** A row of failures ends the run; time that passes well in between makes up for earlier ones. */
    private static Configuration restarts(Settings settings) {
        if (settings.sink().transactionPrefix().isEmpty()) {
            return new Configuration().set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        }
        return new Configuration()
                .set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay")
                .set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF, Duration.ofMillis(500))
                .set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF, Duration.ofSeconds(10))
                .set(
                        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_RESET_BACKOFF_THRESHOLD,
                        settings.sink().batch().retryFor().plusSeconds(30))
                .set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_ATTEMPTS, MOST_RESTARTS);
    }

    private static String reason(Exception failure) {
        return ExceptionUtils.findThrowable(failure, UnknownHostException.class)
                .map(unknown -> "this machine's own name cannot be resolved, which Flink needs (" + unknown.getMessage()
                        + "): add the line '127.0.1.1 NAME' with what 'hostname' prints to /etc/hosts")
                .orElseGet(() -> Failures.explain(failure));
    }

    @Override
    public JobMetrics metrics() {
        return metrics;
    }

    @Override
    public Duration period() {
        return PERIOD;
    }

    @Override
    public Instant begun() {
        return Instant.now();
    }

    @Override
    public String onSecondStop() {
        return "breaks it off";
    }

    @Override
    public boolean isDone() {
        return result.isDone();
    }

    @Override
    public void await(Duration patience) throws InterruptedException {
        try {
            result.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException | CancellationException e) {
            LOG.trace("Not done, or not well", e);
        }
    }

    @Override
    public boolean isFinished() {
        return isDone() && !result.isCompletedExceptionally();
    }

    @Override
    public Optional<String> failure() {
        return cause().map(cause -> {
            LOG.error("The job failed", cause);
            return Failures.explain(cause);
        });
    }

    private Optional<Throwable> cause() {
        if (!result.isCompletedExceptionally()) {
            return Optional.empty();
        }
        Throwable failure = result.handle((ended, thrown) -> thrown).join();
        boolean cancelled = stopped
                && ExceptionUtils.findThrowable(failure, JobCancellationException.class)
                        .isPresent();
        Optional<Throwable> ofJob = cancelled ? Optional.empty() : Optional.of(failure);
        return failures.first().or(() -> ofJob);
    }

    /**
     * {@inheritDoc} If that takes too long, the job is cancelled, and what was not committed is left out.
     */
    @Override
    public void stop() {
        stopped = true;
        long begin = System.nanoTime();
        try {
            // A job that is just being restarted cannot be stopped yet.
            while (!isDone()) {
                try {
                    client.stopWithSavepoint(false, FlinkPaths.uri(work), SavepointFormatType.CANONICAL)
                            .get(STOP_PATIENCE.toSeconds(), TimeUnit.SECONDS);
                    return;
                } catch (ExecutionException e) {
                    if (System.nanoTime() - begin > STOP_PATIENCE.toNanos()) {
                        throw e;
                    }
                    LOG.info("The job cannot be stopped yet: {}", e.getMessage());
                    await(BETWEEN_STOPS);
                }
            }
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("The job could not be stopped and is cancelled", e);
            cancel();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cancel();
        }
    }

    private void cancel() {
        client.cancel().exceptionally(failure -> {
            LOG.warn("The job could not be cancelled", failure);
            return null;
        });
    }

    /** Cancels the job if it still runs, which it does only after a failure on this side, and removes its checkpoints. */
    @Override
    public void close() throws IOException {
        if (!isDone()) {
            cancel();
        }
        failures.close();
        FileUtils.deleteDirectory(work.toFile());
    }
}
