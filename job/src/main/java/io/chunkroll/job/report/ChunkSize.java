package io.chunkroll.job.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A chunk or native partition as it was at the end of a run. Texts are empty, as figures, where they are not known.
 *
 * @param createdAt in ISO form
 */
record ChunkSize(
        String name,
        String rangeStart,
        String rangeEnd,
        Optional<String> createdAt,
        OptionalDouble tableBytes,
        OptionalDouble indexBytes) {

    static ChunkSize of(JsonNode chunk) {
        return new ChunkSize(
                chunk.path("name").asText(""),
                chunk.path("range_start").asText(""),
                chunk.path("range_end").asText(""),
                RunSummary.text(chunk.path("created_at")),
                number(chunk.path("table_bytes")),
                number(chunk.path("index_bytes")));
    }

    private static OptionalDouble number(JsonNode value) {
        return value.isNumber() ? OptionalDouble.of(value.asDouble()) : OptionalDouble.empty();
    }
}
