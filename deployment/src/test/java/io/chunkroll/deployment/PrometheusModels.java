package io.chunkroll.deployment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.AnyType;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The Prometheus operator's kinds. Their classes put fields that they do not know among additional ones, from where they are told. */
final class PrometheusModels {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Map<String, Class<?>> KINDS =
            Map.of("PodMonitor", PodMonitor.class, "PrometheusRule", PrometheusRule.class);

    private PrometheusModels() {}

    static List<String> faults(Manifest manifest) {
        try {
            Class<?> kind = KINDS.get(manifest.kind());
            if (kind == null) {
                return List.of("is of no kind that the Prometheus operator has");
            }
            List<String> faults = new ArrayList<>();
            unknown("", MAPPER.treeToValue(manifest.tree(), kind), manifest.tree(), faults);
            return faults;
        } catch (JsonProcessingException e) {
            return List.of(e.getOriginalMessage());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot look into a " + manifest.kind(), e);
        }
    }

    private static void unknown(String path, Object model, JsonNode written, List<String> faults)
            throws ReflectiveOperationException {
        if (model instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                unknown(path + "/" + i, list.get(i), written.path(i), faults);
            }
        } else if (model != null
                && !(model instanceof AnyType)
                && model.getClass().getName().startsWith("io.fabric8.")) {
            var additional = (Map<?, ?>)
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
