package io.chunkroll.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * One object of Kubernetes as a file tells it.
 *
 * @param place the file or overlay that it comes from, for messages
 */
record Manifest(String place, JsonNode tree) {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    /** The objects of a file, in order. */
    static List<Manifest> parse(String place, String yaml) {
        try (YAMLParser parser = new YAMLFactory().createParser(yaml);
                MappingIterator<JsonNode> documents =
                        YAML.readerFor(JsonNode.class).readValues(parser)) {
            List<Manifest> manifests = new ArrayList<>();
            while (documents.hasNextValue()) {
                manifests.add(new Manifest(place, documents.nextValue()));
            }
            return manifests;
        } catch (IOException e) {
            throw new IllegalArgumentException(place + ": " + e.getMessage(), e);
        }
    }

    String apiVersion() {
        return tree.path("apiVersion").asText();
    }

    String kind() {
        return tree.path("kind").asText();
    }

    String name() {
        return tree.path("metadata").path("name").asText();
    }

    JsonNode spec() {
        return tree.path("spec");
    }

    /** A fault of it, with its name. */
    String fault(String what) {
        return place + ": " + kind() + " " + name() + ": " + what;
    }
}
