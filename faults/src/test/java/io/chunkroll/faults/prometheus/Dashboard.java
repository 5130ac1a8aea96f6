package io.chunkroll.faults.prometheus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What {@code k8s/grafana/chunkroll.json} asks Prometheus for. */
record Dashboard(JsonNode tree) {
    static Dashboard read(Path file) throws IOException {
        return new Dashboard(new ObjectMapper().readTree(file.toFile()));
    }

    /** Each query, of panels and annotations, by where it stands, for all loads. */
    Map<String, String> queries(String rateInterval) {
        Map<String, String> queries = new LinkedHashMap<>();
        tree.path("panels")
                .forEach(panel -> panel.path("targets")
                        .forEach(target -> queries.put(
                                panel.path("title").asText() + "/"
                                        + target.path("refId").asText(),
                                target.path("expr").asText())));
        tree.at("/annotations/list")
                .forEach(annotation -> queries.put(
                        annotation.path("name").asText(),
                        annotation.path("expr").asText()));
        queries.replaceAll((place, query) -> query.replace("$__rate_interval", rateInterval)
                .replace("$__range", rateInterval)
                .replace("$job", ".+"));
        return queries;
    }
}
