package io.chunkroll.job.run;

import io.chunkroll.job.cluster.ClusterException;
import io.chunkroll.job.cluster.FlinkRest;
import io.chunkroll.job.cluster.JobStatus;
import io.chunkroll.job.cluster.JobStatus.Vertex;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A job on a cluster, which goes on whatever becomes of this process. */
final class ClusterJob implements RunningJob {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterJob.class);
    private static final Duration GLANCE = Duration.ofMillis(250);
    private static final Duration SHORTEST_PERIOD = Duration.ofSeconds(1);
    /** Another JobManager takes over within this time, or none does. */
    private static final Duration SILENCE = Duration.ofMinutes(2);

    private static final Duration STOP_PATIENCE = Duration.ofMinutes(3);
    private static final Duration BETWEEN_STOPS = Duration.ofMillis(500);

    private final FlinkRest rest;
    private final String id;
    private final RestMetrics metrics;
    private final Duration interval;
    private final Optional<String> savepoints;
    private final Instant submitted = Instant.now();
    private volatile Optional<String> savepoint = Optional.empty();
    private volatile boolean stopped;
    private Optional<JobStatus> status = Optional.empty();
    private Instant heard = Instant.now();
    private Instant seen = Instant.EPOCH;
    private Optional<String> lost = Optional.empty();

    /**
     * @param interval how often the cluster looks at its TaskManagers, and has something new to tell
     * @param savepoints where a savepoint of a stop may go; empty if the cluster has no place for one
     */
    ClusterJob(FlinkRest rest, String id, RestMetrics metrics, Duration interval, Optional<String> savepoints) {
        this.rest = rest;
        this.id = id;
        this.metrics = metrics;
        this.interval = interval.compareTo(GLANCE) > 0 ? interval : GLANCE;
        this.savepoints = savepoints;
    }

    @Override
    public JobMetrics metrics() {
        return metrics;
    }

    @Override
    public Duration period() {
        return interval.compareTo(SHORTEST_PERIOD) > 0 ? interval : SHORTEST_PERIOD;
    }

    @Override
    public Instant begun() {
        try {
            OptionalLong running = status.stream()
                    .flatMap(seen -> seen.vertices().stream())
                    .filter(vertex -> vertex.name().startsWith("Source: " + Pipeline.SOURCE))
                    .map(Vertex::id)
                    .findFirst()
                    .map(vertex -> rest.runningSinceMillis(id, vertex))
                    .orElse(OptionalLong.empty());
            return running.isPresent() ? Instant.ofEpochMilli(metrics.toHere(running.getAsLong())) : submitted;
        } catch (ClusterException e) {
            LOG.info("The begin of the job is not known", e);
            return submitted;
        }
    }

    /** The path of the savepoint with which the job was stopped; empty if it was not. */
    Optional<String> savepoint() {
        return savepoint;
    }

    @Override
    public String onSecondStop() {
        return "leaves it";
    }

    @Override
    public boolean isDone() {
        return lost.isPresent() || status.filter(JobStatus::isOver).isPresent();
    }

    @Override
    public void await(Duration patience) throws InterruptedException {
        Instant end = Instant.now().plus(patience);
        while (!isDone()) {
            Duration left = Duration.between(Instant.now(), end);
            Thread.sleep(Math.max(1, Math.min(left.toMillis(), GLANCE.toMillis())));
            boolean last = !Instant.now().isBefore(end);
            // Also in between, for what is not seen before the tasks end is never seen.
            look(last || Instant.now().isAfter(seen.plus(interval)));
            if (last) {
                return;
            }
        }
    }

    private void look(boolean withMetrics) throws InterruptedException {
        try {
            JobStatus now = rest.job(id);
            status = Optional.of(now);
            heard = Instant.now();
            if (now.isOver()) {
                // The cluster answers with what it knows and asks its TaskManagers meanwhile: a last answer may be on
                // its way.
                metrics.look(now);
                Thread.sleep(GLANCE.toMillis());
            }
            if (withMetrics || now.isOver()) {
                metrics.look(now);
                seen = Instant.now();
            }
        } catch (ClusterException e) {
            LOG.info("The cluster does not tell of the job", e);
            boolean gone = e.isNotFound() && status.isPresent();
            if ((!e.mayPass() && !gone) || Instant.now().isAfter(heard.plus(SILENCE))) {
                lost = Optional.of("The cluster tells nothing of job " + id + " any more, which may go on: "
                        + Failures.oneLine(e.getMessage()));
            }
        }
    }

    @Override
    public boolean isFinished() {
        return status.filter(JobStatus::isFinished).isPresent();
    }

    @Override
    public Optional<String> failure() {
        if (lost.isPresent() || isFinished()) {
            return lost;
        }
        if (status.filter(JobStatus::isCancelled).isPresent()) {
            return stopped ? Optional.empty() : Optional.of("Job " + id + " was cancelled by somebody else");
        }
        try {
            List<String> traces = rest.exceptions(id);
            traces.forEach(trace -> LOG.error("The job failed from {}", trace));
            return Optional.of(Failures.explainTraces(traces)
                    .orElse("The job ended as " + status.map(JobStatus::state).orElse("nobody knows what")));
        } catch (ClusterException e) {
            return Optional.of("The job failed, and the cluster does not tell why: " + e.getMessage());
        }
    }

    /**
     * {@inheritDoc} Where the cluster has no place for a savepoint, the job is cancelled, and what was not committed is left out.
     */
    @Override
    public void stop() {
        stopped = true;
        try {
            if (savepoints.isPresent()) {
                stopWithSavepoint(savepoints.get());
                return;
            }
            LOG.warn("The cluster has no folder for savepoints");
        } catch (ClusterException e) {
            LOG.warn("The job could not be stopped and is cancelled", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            rest.cancel(id);
        } catch (ClusterException e) {
            LOG.warn("The job could not be cancelled", e);
        }
    }

    private void stopWithSavepoint(String folder) throws InterruptedException {
        Instant end = Instant.now().plus(STOP_PATIENCE);
        // A job that is just being restarted cannot be stopped yet.
        while (true) {
            try {
                savepoint = Optional.of(rest.stopWithSavepoint(id, Optional.of(folder)));
                return;
            } catch (ClusterException e) {
                if (rest.job(id).isOver()) {
                    return;
                }
                if (Instant.now().isAfter(end)) {
                    throw e;
                }
                LOG.info("The job cannot be stopped yet", e);
                Thread.sleep(BETWEEN_STOPS.toMillis());
            }
        }
    }

    /** Leaves the job alone. */
    @Override
    public void close() {}
}
