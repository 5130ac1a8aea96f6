package io.chunkroll.job.cluster;

import com.fasterxml.jackson.databind.JsonNode;

/** A job in the cluster's list. */
public record JobEntry(String id, String name, String state) {
    static JobEntry of(JsonNode job) {
        return new JobEntry(
                job.path("jid").asText(),
                job.path("name").asText(),
                job.path("state").asText());
    }
}
