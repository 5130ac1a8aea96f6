package io.chunkroll.deployment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import java.util.ArrayList;
import java.util.List;

/** The Prometheus operator's PodMonitor. The class puts fields that it does not know among additional ones, from where they are told. */
final class PrometheusModels {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private PrometheusModels() {}

    static List<String> faults(Manifest manifest) {
        try {
            PodMonitor monitor = MAPPER.treeToValue(manifest.tree(), PodMonitor.class);
            List<String> faults = new ArrayList<>();
            unknown("", monitor, manifest.tree(), faults);
            return faults;
        } catch (JsonProcessingException e) {
            return List.of(e.getOriginalMessage());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot look into a PodMonitor", e);
        }
    }

    private static void unknown(String path, Object model, JsonNode written, List<String> faults)
            throws ReflectiveOperationException {
        if (model instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                unknown(path + "/" + i, list.get(i), written.path(i), faults);
            }
        } else if (model != null && model.getClass().getName().startsWith("io.fabric8.")) {
            var additional = (java.util.Map<?, ?>)
                    model.getClass().getMethod("getAdditionalProperties").invoke(model);
            additional.keySet().forEach(name -> faults.add(path + "/" + name + ": is not known"));
            for (var field : written.properties()) {
                if (!additional.containsKey(field.getKey())) {
                    unknown(path + "/" + field.getKey(), value(model, field.getKey()), field.getValue(), faults);
                }
            }
        }
    }

    private static Object value(Object model, String field) throws ReflectiveOperationException {
        String getter = "get" + Character.toUpperCase(field.charAt(0)) + field.substring(1);
        return model.getClass().getMethod(getter).invoke(model);
    }
}
