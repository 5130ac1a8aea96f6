package io.chunkroll.deployment;

import java.util.List;
import java.util.stream.Stream;

/** Which schema is whose. */
final class Schemas {
    private Schemas() {}

    /** What its schema has against an object: fields that it does not know, that are missing, or of another kind. */
    static List<String> faults(Manifest manifest) {
        return found(manifest).map(manifest::fault).toList();
    }

    private static Stream<String> found(Manifest manifest) {
        if (manifest.apiVersion().startsWith("monitoring.coreos.com/")) {
            return Stream.concat(
                    KubernetesModels.faultsOfMetadata(manifest).stream(), PrometheusModels.faults(manifest).stream());
        }
        if (CustomResourceSchemas.has(manifest.kind())) {
            return Stream.concat(
                    KubernetesModels.faultsOfMetadata(manifest).stream(),
                    CustomResourceSchemas.faults(manifest).stream());
        }
        return KubernetesModels.faults(manifest).stream();
    }
}
