package io.chunkroll.job.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Everything that Flink's REST server, from which its web pages take what they show, tells of itself and of its jobs. */
final class FlinkRest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> OF_CLUSTER = List.of(
            "/overview",
            "/config",
            "/datasets",
            "/jars",
            "/jobs/overview",
            "/jobmanager/config",
            "/jobmanager/environment",
            "/jobmanager/metrics",
            "/jobmanager/logs",
            "/jobmanager/log",
            "/jobmanager/stdout",
            "/jobmanager/thread-dump",
            "/taskmanagers",
            "/taskmanagers/metrics");
    private static final List<String> OF_TASK_MANAGER =
            List.of("", "/logs", "/log", "/stdout", "/metrics", "/thread-dump");
    private static final List<String> OF_JOB = List.of(
            "",
            "/config",
            "/plan",
            "/jobgraph",
            "/status",
            "/execution-result",
            "/exceptions?maxExceptions=100",
            "/accumulators",
            "/checkpoints",
            "/checkpoints/config",
            "/jobmanager/config",
            "/jobmanager/environment",
            "/metrics",
            "/vertices",
            "/rescales/history",
            "/resource-requirements");
    private static final List<String> OF_VERTEX = List.of(
            "",
            "/accumulators",
            "/subtasks/accumulators",
            "/subtasktimes",
            "/taskmanagers",
            "/watermarks",
            "/metrics",
            "/subtasks/metrics",
            "/jm-operator-metrics",
            "/flamegraph",
            "/subtasks/0",
            "/subtasks/0/metrics");

    private final HttpClient client = HttpClient.newHttpClient();
    private final String address;
    private final Map<String, String> answers = new LinkedHashMap<>();

    private FlinkRest(String address) {
        this.address = address;
    }

    /** The answers by path. */
    static Map<String, String> answers(String address) throws IOException, InterruptedException {
        FlinkRest rest = new FlinkRest(address);
        OF_CLUSTER.forEach(rest::ask);
        for (String manager : rest.ids("/taskmanagers", "taskmanagers", "id")) {
            OF_TASK_MANAGER.forEach(part -> rest.ask("/taskmanagers/" + manager + part));
        }
        for (String job : rest.ids("/jobs/overview", "jobs", "jid")) {
            String path = "/jobs/" + job;
            OF_JOB.forEach(part -> rest.ask(path + part));
            for (String vertex : rest.ids(path, "vertices", "id")) {
                OF_VERTEX.forEach(part -> rest.ask(path + "/vertices/" + vertex + part));
            }
        }
        return rest.answers;
    }

    private String ask(String path) {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(address + path)).build();
            String body =
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            answers.put(path, body);
            return body;
        } catch (IOException e) {
            throw new AssertionError(address + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(address + path, e);
        }
    }

    private List<String> ids(String path, String list, String id) throws JsonProcessingException {
        List<String> ids = new ArrayList<>();
        JsonNode answer = JSON.readTree(answers.get(path));
        answer.path(list).forEach(item -> ids.add(item.path(id).asText()));
        return ids;
    }
}
