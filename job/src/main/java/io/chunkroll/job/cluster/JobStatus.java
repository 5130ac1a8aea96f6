package io.chunkroll.job.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How a job is, as the cluster's REST interface tells.
 *
 * @param state of the job; it stays RUNNING while tasks are restarted
 * @param nowMillis the JobManager's clock when it answered
 * @param endMillis when the job was over, by that clock; negative before
 */
public record JobStatus(String state, long nowMillis, long endMillis, List<Vertex> vertices) {
    private static final Set<String> FOR_GOOD = Set.of("FINISHED", "FAILED", "CANCELED", "SUSPENDED");

    /**
     * Operators that are chained to one task.
     *
     * @param name those of the operators, joined
     * @param state of its tasks, together
     * @param writtenRecords what its tasks gave to the next vertex; exact once they are over
     */
    public record Vertex(String id, String name, int parallelism, String state, long writtenRecords) {}

    static JobStatus of(JsonNode job) {
        List<Vertex> vertices = new ArrayList<>();
        job.path("vertices")
                .forEach(vertex -> vertices.add(new Vertex(
                        vertex.path("id").asText(),
                        vertex.path("name").asText(),
                        vertex.path("parallelism").asInt(),
                        vertex.path("status").asText(),
                        vertex.path("metrics").path("write-records").asLong())));
        return new JobStatus(
                job.path("state").asText(),
                job.path("now").asLong(),
                job.path("end-time").asLong(),
                vertices);
    }

    /** Whether every task runs, or has read its input to the end. */
    public boolean isRunning() {
        return state.equals("RUNNING")
                && vertices.stream()
                        .allMatch(vertex -> vertex.state().equals("RUNNING")
                                || vertex.state().equals("FINISHED"));
    }

    /** Whether it came to its end by itself or by a stop. */
    public boolean isFinished() {
        return state.equals("FINISHED");
    }

    /** Whether somebody ended it without asking for what was read. */
    public boolean isCancelled() {
        return state.equals("CANCELED");
    }

    /** Whether nothing more will happen. */
    public boolean isOver() {
        return FOR_GOOD.contains(state);
    }
}
