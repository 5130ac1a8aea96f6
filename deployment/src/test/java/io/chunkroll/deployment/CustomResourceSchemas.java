package io.chunkroll.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * The operator's CRDs as schemas, made strict: an API server drops fields that it does not know, in silence, where this refuses them.
 *
 * <p>They are those of operator 1.10, the newest to be had as a jar, which ends at Flink 1.20. Operator 1.15 has the same fields and more,
 * and knows Flink 2.3, though its CRD does not list it: {@code k8s/README.md} mends that.
 */
final class CustomResourceSchemas {
    private static final Map<String, JsonSchema> BY_KIND =
            Map.of("FlinkDeployment", load("flinkdeployments"), "FlinkSessionJob", load("flinksessionjobs"));

    private CustomResourceSchemas() {}

    static boolean has(String kind) {
        return BY_KIND.containsKey(kind);
    }

    static List<String> faults(Manifest manifest) {
        ObjectNode own = manifest.tree().deepCopy();
        own.remove(List.of("apiVersion", "kind", "metadata"));
        return BY_KIND.get(manifest.kind()).validate(own).stream()
                .map(ValidationMessage::getMessage)
                .toList();
    }

    private static JsonSchema load(String plural) {
        String resource = "/META-INF/fabric8/" + plural + ".flink.apache.org-v1.yml";
        try (InputStream in = CustomResourceSchemas.class.getResourceAsStream(resource)) {
            String yaml = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            JsonNode definition = Manifest.parse(resource, yaml).get(0).tree();
            JsonNode schema = definition.at("/spec/versions/0/schema/openAPIV3Schema");
            addFlinkTwo(schema.at("/properties/spec/properties/flinkVersion/enum"));
            close(schema);
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7).getSchema(schema);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + resource, e);
        }
    }

    private static void addFlinkTwo(JsonNode versions) {
        if (versions instanceof ArrayNode array) {
            array.add("v2_0").add("v2_1").add("v2_2").add("v2_3");
        }
    }

    private static void close(JsonNode schema) {
        if (schema instanceof ObjectNode object
                && object.path("properties").isObject()
                && !object.has("x-kubernetes-preserve-unknown-fields")) {
            object.put("additionalProperties", false);
        }
        schema.forEach(CustomResourceSchemas::close);
    }
}
