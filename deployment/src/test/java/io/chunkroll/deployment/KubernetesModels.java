package io.chunkroll.deployment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.JSON;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Kubernetes' own OpenAPI, in the form of the Java client's classes: they know every field, and which must be there. */
final class KubernetesModels {
    private static final String PACKAGE = "io.kubernetes.client.openapi.models.";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private KubernetesModels() {}

    static List<String> faults(Manifest manifest) {
        String version = manifest.apiVersion().replaceFirst(".*/", "").toUpperCase(Locale.ROOT);
        return faults(manifest.tree(), version + manifest.kind());
    }

    static List<String> faultsOfMetadata(Manifest manifest) {
        return faults(manifest.tree().path("metadata"), "V1ObjectMeta");
    }

    private static List<String> faults(JsonNode tree, String name) {
        JsonElement element = JsonParser.parseString(tree.toString());
        try {
            Class<?> model = Class.forName(PACKAGE + name);
            model.getMethod("validateJsonElement", JsonElement.class).invoke(null, element);
            JsonNode read = MAPPER.readTree(JSON.serialize(JSON.getGson().fromJson(element, model)));
            List<String> faults = new ArrayList<>();
            compare("", tree, read, faults);
            return faults;
        } catch (ClassNotFoundException e) {
            return List.of("Kubernetes has no such kind");
        } catch (InvocationTargetException e) {
            return List.of(String.valueOf(e.getCause().getMessage()));
        } catch (JsonParseException e) {
            return List.of(e.getMessage());
        } catch (JsonProcessingException | ReflectiveOperationException e) {
            throw new IllegalStateException("cannot check a " + name, e);
        }
    }

    /** The classes take a number for a text and a text for a number, which an API server does not. */
    private static void compare(String path, JsonNode written, JsonNode read, List<String> faults) {
        if (written.isValueNode() && !read.isMissingNode() && written.isTextual() != read.isTextual()) {
            faults.add(path + ": " + written + " must be a " + (read.isTextual() ? "text" : "number or truth value"));
        }
        written.properties()
                .forEach(field ->
                        compare(path + "/" + field.getKey(), field.getValue(), read.path(field.getKey()), faults));
        for (int i = 0; written.isArray() && i < written.size(); i++) {
            compare(path + "/" + i, written.get(i), read.path(i), faults);
        }
    }
}
