package io.chunkroll.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;

/** What Kubernetes' level "restricted" asks of a pod, which the namespace enforces: a pod that fails it is never started. */
final class PodRules {
    private static final Set<String> VOLUMES = Set.of(
            "configMap", "emptyDir", "persistentVolumeClaim", "secret", "projected", "downwardAPI", "ephemeral", "csi");

    private PodRules() {}

    /** @param pod the spec of a pod */
    static List<String> faults(JsonNode pod) {
        List<String> faults = new ArrayList<>();
        JsonNode ofPod = pod.path("securityContext");
        if (!ofPod.path("runAsNonRoot").asBoolean() || ofPod.path("runAsUser").asInt() == 0) {
            faults.add("runs as root: securityContext needs runAsNonRoot and a runAsUser");
        }
        if (!ofPod.at("/seccompProfile/type").asText().equals("RuntimeDefault")) {
            faults.add("securityContext needs the seccompProfile RuntimeDefault");
        }
        for (String list : List.of("initContainers", "containers")) {
            pod.path(list).forEach(container -> container(container, faults));
        }
        pod.path("volumes")
                .forEach(volume -> volume.fieldNames().forEachRemaining(field -> {
                    if (!field.equals("name") && !VOLUMES.contains(field)) {
                        faults.add("volume " + volume.path("name").asText() + " is of the kind " + field);
                    }
                }));
        return faults;
    }

    private static void container(JsonNode container, List<String> faults) {
        String name = "container " + container.path("name").asText();
        JsonNode context = container.path("securityContext");
        if (context.path("allowPrivilegeEscalation").asBoolean(true)) {
            faults.add(name + " may gain rights: allowPrivilegeEscalation must be false");
        }
        boolean dropsAll = StreamSupport.stream(context.at("/capabilities/drop").spliterator(), false)
                .anyMatch(capability -> capability.asText().equals("ALL"));
        if (!dropsAll) {
            faults.add(name + " keeps capabilities: it must drop ALL");
        }
    }
}
