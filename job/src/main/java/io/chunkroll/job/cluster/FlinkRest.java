package io.chunkroll.job.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * Flink's REST interface, as far as a load needs it. Safe for several threads.
 *
 * <p>Every call throws a {@link ClusterException} if the cluster does not answer or refuses.
 */
public final class FlinkRest {
    private static final Duration OVER_PATIENCE = Duration.ofSeconds(60);
    private static final Duration SAVEPOINT_PATIENCE = Duration.ofMinutes(3);
    private static final Duration GLANCE = Duration.ofMillis(100);

    private final Http http;

    /** @param address where the web interface is; it may have a path, behind a proxy */
    public FlinkRest(URI address) {
        http = new Http(address);
    }

    /** Where the web interface is. */
    public URI address() {
        return http.address();
    }

    /** Whether it answers at all. */
    public boolean answers() {
        try {
            http.get("overview");
            return true;
        } catch (ClusterException e) {
            return false;
        }
    }

    /** The version of the cluster's Flink. */
    public String version() {
        return http.get("overview").path("flink-version").asText();
    }

    /** Slots in which nothing runs. */
    public int freeSlots() {
        return http.get("overview").path("slots-available").asInt();
    }

    /** The cluster's settings that are not left at their defaults. */
    public Map<String, String> configuration() {
        Map<String, String> settings = new LinkedHashMap<>();
        http.get("jobmanager/config")
                .forEach(setting -> settings.put(
                        setting.path("key").asText(), setting.path("value").asText()));
        return settings;
    }

    /** Uploads a job jar; the result is what {@link #run} wants. */
    public String upload(Path jar) {
        JsonNode answer = http.upload("jars/upload", "jarfile", jar);
        return Path.of(answer.path("filename").asText()).getFileName().toString();
    }

    /** Removes an uploaded jar. Jobs that were run from it have their own copy. */
    public void delete(String jar) {
        http.send(http.request("jars/" + jar).DELETE());
    }

    /**
     * Runs an uploaded jar's main class.
     *
     * @param savepoint the path of a savepoint or a retained checkpoint to go on from
     * @return the job's id
     */
    public String run(String jar, List<String> arguments, Optional<String> savepoint) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("programArgsList", arguments);
        savepoint.ifPresent(path -> body.put("savepointPath", path));
        return http.post("jars/" + jar + "/run", body).path("jobid").asText();
    }

    /** All jobs that the cluster remembers. */
    public List<JobEntry> jobs() {
        List<JobEntry> jobs = new ArrayList<>();
        http.get("jobs/overview").path("jobs").forEach(job -> jobs.add(JobEntry.of(job)));
        return jobs;
    }

    /** How the job and its vertices are. */
    public JobStatus job(String job) {
        return JobStatus.of(http.get("jobs/" + job));
    }

    /** When the first subtask of a vertex began to run, by the JobManager's clock; empty if none has yet. */
    public OptionalLong runningSinceMillis(String job, String vertex) {
        OptionalLong first = OptionalLong.empty();
        for (JsonNode subtask : http.get("jobs/" + job + "/vertices/" + vertex + "/subtasktimes")
                .path("subtasks")) {
            long running = subtask.path("timestamps").path("RUNNING").asLong();
            if (running > 0 && (first.isEmpty() || running < first.getAsLong())) {
                first = OptionalLong.of(running);
            }
        }
        return first;
    }

    /** The names of a subtask's metrics; none before the cluster has heard of them. */
    public List<String> metricNames(String job, String vertex, int subtask) {
        List<String> names = new ArrayList<>();
        http.get(metricsOf(job, vertex, subtask))
                .forEach(metric -> names.add(metric.path("id").asText()));
        return names;
    }

    /** Values of a subtask's metrics, as old as the cluster's last look at the TaskManager; what it does not know is left out. */
    public Map<String, String> metrics(String job, String vertex, int subtask, List<String> names) {
        Map<String, String> values = new LinkedHashMap<>();
        http.get(metricsOf(job, vertex, subtask) + "?get=" + String.join(",", names))
                .forEach(metric -> values.put(
                        metric.path("id").asText(), metric.path("value").asText()));
        return values;
    }

    private static String metricsOf(String job, String vertex, int subtask) {
        return "jobs/" + job + "/vertices/" + vertex + "/subtasks/" + subtask + "/metrics";
    }

    /** How often the job was restarted. */
    public long restarts(String job) {
        return http.get("jobs/" + job + "/metrics?get=numRestarts")
                .path(0)
                .path("value")
                .asLong();
    }

    /**
     * How often one of a vertex's subtasks was started anew: what the JobManager itself knows, where {@link #restarts} is a metric, which is
     * not shown for many seconds after a TaskManager is lost.
     */
    public long attempts(String job, String vertex) {
        long most = 0;
        for (JsonNode subtask : http.get("jobs/" + job + "/vertices/" + vertex).path("subtasks")) {
            most = Math.max(most, subtask.path("attempt").asLong());
        }
        return most;
    }

    /** The newest completed checkpoint, also of a job that is over. */
    public Optional<CheckpointStatus> latestCheckpoint(String job) {
        JsonNode latest =
                http.get("jobs/" + job + "/checkpoints").path("latest").path("completed");
        return latest.isObject() ? Optional.of(CheckpointStatus.of(latest)) : Optional.empty();
    }

    /** What the job failed from, newest first, each followed by what failed at the same time, as stack traces; empty if it never did. */
    public List<String> exceptions(String job) {
        List<String> found = new ArrayList<>();
        http.get("jobs/" + job + "/exceptions")
                .path("exceptionHistory")
                .path("entries")
                .forEach(entry -> {
                    found.add(entry.path("stacktrace").asText());
                    entry.path("concurrentExceptions")
                            .forEach(other -> found.add(other.path("stacktrace").asText()));
                });
        return found;
    }

    /** The names of the TaskManagers that run something, as they were given at the start. */
    public List<String> busyTaskManagers() {
        List<String> busy = new ArrayList<>();
        http.get("taskmanagers").path("taskmanagers").forEach(manager -> {
            if (manager.path("freeSlots").asInt() < manager.path("slotsNumber").asInt()) {
                busy.add(manager.path("id").asText());
            }
        });
        return busy;
    }

    /** How many TaskManagers the JobManager knows. */
    public int taskManagers() {
        return http.get("taskmanagers").path("taskmanagers").size();
    }

    /**
     * Stops the job with a savepoint and waits for both; the rest of bounded input stays unread.
     *
     * @param folder where the savepoint goes; empty for the cluster's own place
     * @return the savepoint's path
     */
    public String stopWithSavepoint(String job, Optional<String> folder) {
        Map<String, Object> body = new LinkedHashMap<>(Map.of("drain", false));
        folder.ifPresent(path -> body.put("targetDirectory", path));
        String request =
                http.post("jobs/" + job + "/stop", body).path("request-id").asText();
        JsonNode[] done = new JsonNode[1];
        await("savepoint of job " + job, SAVEPOINT_PATIENCE, () -> {
            done[0] = http.get("jobs/" + job + "/savepoints/" + request);
            return done[0].path("status").path("id").asText().equals("COMPLETED");
        });
        JsonNode operation = done[0].path("operation");
        String path = operation.path("location").asText();
        if (path.isEmpty()) {
            throw new ClusterException("The job cannot be stopped with a savepoint: "
                    + operation.path("failure-cause").path("stack-trace").asText());
        }
        awaitOver(job);
        return path;
    }

    /** Cancels the job and waits till it is over; its newest checkpoint stays. */
    public void cancel(String job) {
        http.send(http.request("jobs/" + job + "?mode=cancel").method("PATCH", Http.NOTHING));
        awaitOver(job);
    }

    private void awaitOver(String job) {
        await("end of job " + job, OVER_PATIENCE, () -> job(job).isOver());
    }

    private static void await(String what, Duration patience, BooleanSupplier condition) {
        Instant end = Instant.now().plus(patience);
        try {
            while (!condition.getAsBoolean()) {
                if (Instant.now().isAfter(end)) {
                    throw new ClusterException("Not within " + patience.toSeconds() + " s: " + what);
                }
                Thread.sleep(GLANCE.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted", e);
        }
    }
}
