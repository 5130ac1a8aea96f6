package io.chunkroll.job.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * A completed checkpoint or savepoint.
 *
 * @param id its number
 * @param triggered when it began; everything read before that is in it
 * @param path where it lies
 */
public record CheckpointStatus(long id, Instant triggered, String path) {
    static CheckpointStatus of(JsonNode checkpoint) {
        return new CheckpointStatus(
                checkpoint.path("id").asLong(),
                Instant.ofEpochMilli(checkpoint.path("trigger_timestamp").asLong()),
                checkpoint.path("external_path").asText());
    }
}
