package io.chunkroll.faults.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Flink's REST interface, as far as tests need it. */
public final class FlinkRest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SAVEPOINT_PATIENCE = Duration.ofMinutes(2);
    private static final Duration GLANCE = Duration.ofMillis(100);
    private static final String BOUNDARY = "chunkroll-part";

    private final URI address;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    FlinkRest(int port) {
        address = URI.create("http://127.0.0.1:" + port + "/");
    }

    /** Where the web interface is. */
    public URI address() {
        return address;
    }

    /** Whether it answers at all. */
    boolean answers() {
        try {
            get("overview");
            return true;
        } catch (ClusterException e) {
            return false;
        }
    }

    /** Uploads a job jar; the result is what {@link #run} wants. */
    public String upload(Path jar) {
        String head = "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"jarfile\"; filename=\""
                + jar.getFileName() + "\"\r\nContent-Type: application/x-java-archive\r\n\r\n";
        try {
            BodyPublisher body = BodyPublishers.concat(
                    BodyPublishers.ofString(head),
                    BodyPublishers.ofFile(jar),
                    BodyPublishers.ofString("\r\n--" + BOUNDARY + "--\r\n"));
            JsonNode answer = send(request("jars/upload")
                    .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                    .POST(body));
            return Path.of(answer.path("filename").asText()).getFileName().toString();
        } catch (FileNotFoundException e) {
            throw new ClusterException("there is no " + jar.toAbsolutePath() + ": build the job first", e);
        }
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
        return post("jars/" + jar + "/run", body).path("jobid").asText();
    }

    /** How the job and its vertices are. */
    public JobStatus job(String job) {
        return JobStatus.of(get("jobs/" + job));
    }

    /** How often the job was restarted. */
    public long restarts(String job) {
        return get("jobs/" + job + "/metrics?get=numRestarts")
                .path(0)
                .path("value")
                .asLong();
    }

    /** The newest completed checkpoint, also of a job that is over. */
    public Optional<CheckpointStatus> latestCheckpoint(String job) {
        JsonNode latest = get("jobs/" + job + "/checkpoints").path("latest").path("completed");
        return latest.isObject() ? Optional.of(CheckpointStatus.of(latest)) : Optional.empty();
    }

    /** What the job failed from, newest first; empty if it never did. */
    public List<String> exceptions(String job) {
        List<String> found = new ArrayList<>();
        get("jobs/" + job + "/exceptions")
                .path("exceptionHistory")
                .path("entries")
                .forEach(entry -> found.add(entry.path("stacktrace").asText()));
        return found;
    }

    /** The names of the TaskManagers that run something, as they were given at the start. */
    public List<String> busyTaskManagers() {
        List<String> busy = new ArrayList<>();
        get("taskmanagers").path("taskmanagers").forEach(manager -> {
            if (manager.path("freeSlots").asInt() < manager.path("slotsNumber").asInt()) {
                busy.add(manager.path("id").asText());
            }
        });
        return busy;
    }

    /** How many TaskManagers the JobManager knows. */
    public int taskManagers() {
        return get("taskmanagers").path("taskmanagers").size();
    }

    /** Stops the job with a savepoint and waits for both; the rest of bounded input stays unread. */
    public String stopWithSavepoint(String job) {
        String request = post("jobs/" + job + "/stop", Map.of("drain", false))
                .path("request-id")
                .asText();
        JsonNode done = await(
                "savepoint of job " + job,
                SAVEPOINT_PATIENCE,
                () -> get("jobs/" + job + "/savepoints/" + request),
                answer -> answer.path("status").path("id").asText().equals("COMPLETED"));
        String path = done.path("operation").path("location").asText();
        if (path.isEmpty()) {
            throw new ClusterException("stop with savepoint failed: "
                    + done.path("operation")
                            .path("failure-cause")
                            .path("stack-trace")
                            .asText());
        }
        awaitOver(job);
        return path;
    }

    /** Cancels the job and waits till it is over; its newest checkpoint stays. */
    public void cancel(String job) {
        send(request("jobs/" + job + "?mode=cancel").method("PATCH", BodyPublishers.noBody()));
        awaitOver(job);
    }

    private void awaitOver(String job) {
        await("end of job " + job, PATIENCE, () -> job(job), JobStatus::isOver);
    }

    private static <T> T await(String what, Duration patience, Callable<T> look, Predicate<T> enough) {
        try {
            return Awaitility.await(what).atMost(patience).pollInterval(GLANCE).until(look, enough);
        } catch (ConditionTimeoutException e) {
            throw new ClusterException(e.getMessage(), e);
        }
    }

    private JsonNode get(String path) {
        return send(request(path).GET());
    }

    private JsonNode post(String path, Map<String, Object> body) {
        try {
            return send(request(path)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(JSON.writeValueAsString(body))));
        } catch (IOException e) {
            throw new ClusterException("cannot write " + body, e);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(address.resolve(path)).timeout(PATIENCE);
    }

    private JsonNode send(HttpRequest.Builder builder) {
        HttpRequest request = builder.build();
        try {
            var response = client.send(request, BodyHandlers.ofString());
            if (response.statusCode() >= 300) {
                throw new ClusterException(request.method() + " " + request.uri() + " answers " + response.statusCode()
                        + ": " + response.body());
            }
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new ClusterException(request.method() + " " + request.uri() + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted", e);
        }
    }
}
