package io.chunkroll.faults.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How a job is, as the cluster's REST interface tells.
 *
 * @param state of the job; it stays RUNNING while tasks are restarted
 * @param vertices the state of each vertex
 */
public record JobStatus(String state, List<String> vertices) {
    private static final Set<String> FOR_GOOD = Set.of("FINISHED", "FAILED", "CANCELED", "SUSPENDED");

    static JobStatus of(JsonNode job) {
        List<String> vertices = new ArrayList<>();
        job.path("vertices")
                .forEach(vertex -> vertices.add(vertex.path("status").asText()));
        return new JobStatus(job.path("state").asText(), vertices);
    }

    /** Whether every task runs, or has read its input to the end. */
    public boolean isRunning() {
        return state.equals("RUNNING")
                && vertices.stream().allMatch(vertex -> vertex.equals("RUNNING") || vertex.equals("FINISHED"));
    }

    /** Whether it came to its end by itself or by a stop. */
    public boolean isFinished() {
        return state.equals("FINISHED");
    }

    /** Whether nothing more will happen. */
    public boolean isOver() {
        return FOR_GOOD.contains(state);
    }
}
