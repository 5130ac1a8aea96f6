package io.chunkroll.faults.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.chunkroll.job.cluster.JobStatus;
import io.chunkroll.server.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The adaptive scheduler gives a running load more subtasks when there are more slots, and fewer when it is told to, as an autoscaler does. */
@Tag("cluster")
@Timeout(240)
final class RescaledLoadITCase {
    private static final String ADAPTIVE = "jobmanager.adaptive-scheduler.";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void eachRowIsThereOnceAfterTwoChangesOfParallelism() throws Exception {
        ClusterOptions options = ClusterOptions.session(SmallLoad.LIB, 1, 2)
                .with("jobmanager.scheduler", "Adaptive")
                .with(ADAPTIVE + "submission.resource-stabilization-timeout", "1 s")
                .with(ADAPTIVE + "executing.cooldown-after-rescaling", "1 s")
                .with(ADAPTIVE + "executing.resource-stabilization-timeout", "1 s");
        try (TestDatabase database = TestDatabase.create();
                StandaloneCluster cluster = StandaloneCluster.start(options)) {
            SmallLoad load = new SmallLoad(database);
            String job = SmallLoad.submit(cluster.rest(), load.arguments("exactly-once", 4, 2000));
            load.awaitUnderWay(cluster.rest(), job);
            assertThat(parallelism(cluster, job)).as("with the slots there are").isEqualTo(2);

            cluster.startTaskManager();
            awaitRunningWith(4, cluster, job);

            limit(3, cluster, job);
            awaitRunningWith(3, cluster, job);

            SmallLoad.awaitFinished(cluster, job);
            load.assertEachRowIsThereOnce();
        }
    }

    private static int parallelism(StandaloneCluster cluster, String job) {
        return cluster.rest().job(job).vertices().stream()
                .mapToInt(JobStatus.Vertex::parallelism)
                .max()
                .orElse(0);
    }

    private static void awaitRunningWith(int parallelism, StandaloneCluster cluster, String job) {
        SmallLoad.waiting()
                .until(() -> parallelism(cluster, job) == parallelism
                        && cluster.rest().job(job).isRunning());
    }

    private void limit(int parallelism, StandaloneCluster cluster, String job)
            throws IOException, InterruptedException {
        URI requirements = cluster.rest().address().resolve("jobs/" + job + "/resource-requirements");
        ObjectNode vertices = (ObjectNode) JSON.readTree(send(HttpRequest.newBuilder(requirements)));
        for (JsonNode vertex : vertices) {
            ObjectNode bounds = (ObjectNode) vertex.path("parallelism");
            bounds.put(
                    "upperBound",
                    Math.min(parallelism, bounds.path("upperBound").asInt()));
        }
        send(HttpRequest.newBuilder(requirements)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(vertices.toString())));
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }
}
