package io.chunkroll.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether all that the objects of an overlay name is there: in the overlay, or among the secrets that are made by hand. */
final class References {
    /** The secrets that README.md has made, and their keys. */
    static final Map<String, Set<String>> SECRETS = Map.of(
            "chunkroll-database", Set.of("password"), "chunkroll-s3", Set.of("access-key-id", "secret-access-key"));

    private static final String CLUSTER = "FlinkDeployment";

    private final List<Manifest> all;
    private final List<String> faults = new ArrayList<>();

    private References(List<Manifest> all) {
        this.all = all;
    }

    static List<String> faults(List<Manifest> overlay) {
        References references = new References(overlay);
        overlay.forEach(references::check);
        return references.faults;
    }

    private void check(Manifest manifest) {
        walk(manifest, manifest.tree());
        pods(manifest).forEach(pod -> checkVolumes(manifest, pod));
        switch (manifest.kind()) {
            case "NetworkPolicy", "PodMonitor", "PodDisruptionBudget", "Service" -> checkSelector(manifest);
            case "RoleBinding" -> checkBinding(manifest);
            case "FlinkSessionJob" -> checkSessionJob(manifest);
            default -> {
                // Has no references but those that every object may have.
            }
        }
    }

    private void walk(Manifest from, JsonNode tree) {
        tree.properties().forEach(field -> {
            JsonNode value = field.getValue();
            switch (field.getKey()) {
                case "secretKeyRef" -> checkSecret(from, value);
                case "configMap", "configMapKeyRef" -> need(from, "ConfigMap", value.path("name"));
                case "claimName" -> need(from, "PersistentVolumeClaim", value);
                case "serviceAccount", "serviceAccountName" -> need(from, "ServiceAccount", value);
                case "serviceName" -> need(from, "Service", value);
                default -> {
                    // Names nothing by itself.
                }
            }
            walk(from, value);
        });
        if (tree.isArray()) {
            tree.forEach(element -> walk(from, element));
        }
    }

    private void checkSecret(Manifest from, JsonNode reference) {
        String name = reference.path("name").asText();
        String key = reference.path("key").asText();
        if (!SECRETS.getOrDefault(name, Set.of()).contains(key)) {
            faults.add(from.fault("no secret " + name + " with a key " + key + " is made"));
        }
    }

    private void need(Manifest from, String kind, JsonNode name) {
        if (name.isTextual() && find(kind, name.asText()).isEmpty()) {
            faults.add(from.fault("there is no " + kind + " " + name.asText()));
        }
    }

    private Stream<Manifest> of(String kind) {
        return all.stream().filter(manifest -> manifest.kind().equals(kind));
    }

    private List<Manifest> find(String kind, String name) {
        return of(kind).filter(manifest -> manifest.name().equals(name)).toList();
    }

    /** The specs of the pods that an object describes; those of a FlinkDeployment are checked as Flink makes them. */
    static List<JsonNode> pods(Manifest manifest) {
        JsonNode pod = manifest.spec().at("/template/spec");
        return pod.isMissingNode() ? List.of() : List.of(pod);
    }

    private void checkVolumes(Manifest from, JsonNode pod) {
        Set<String> volumes = new HashSet<>(names(pod.path("volumes")));
        from.spec()
                .path("volumeClaimTemplates")
                .forEach(claim -> volumes.add(claim.at("/metadata/name").asText()));
        volumeAndPortFaults(pod, volumes).forEach(fault -> faults.add(from.fault(fault)));
    }

    /** Volumes that are mounted and not there, and ports that a probe asks and the container does not name. */
    static List<String> volumeAndPortFaults(JsonNode pod, Set<String> volumes) {
        List<String> faults = new ArrayList<>();
        for (String list : List.of("initContainers", "containers")) {
            for (JsonNode container : pod.path(list)) {
                String name = "container " + container.path("name").asText();
                names(container.path("volumeMounts")).stream()
                        .filter(mount -> !volumes.contains(mount))
                        .forEach(mount -> faults.add(name + " mounts " + mount + ", which is no volume of its pod"));
                List<String> ports = names(container.path("ports"));
                for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
                    for (String way : List.of("httpGet", "tcpSocket")) {
                        JsonNode port = container.path(probe).path(way).path("port");
                        if (port.isTextual() && !ports.contains(port.asText())) {
                            faults.add(
                                    name + ": " + probe + " asks port " + port.asText() + ", which it does not have");
                        }
                    }
                }
            }
        }
        return faults;
    }

    static List<String> names(JsonNode list) {
        List<String> names = new ArrayList<>();
        list.forEach(element -> names.add(element.path("name").asText()));
        return names;
    }

    /** Whose pods are meant: those of a workload of the overlay, or those that Flink makes, under the cluster's name. */
    private void checkSelector(Manifest from) {
        JsonNode spec = from.spec();
        JsonNode selector = from.kind().equals("NetworkPolicy") ? spec.path("podSelector") : spec.path("selector");
        JsonNode app = selector.has("matchLabels") ? selector.at("/matchLabels/app") : selector.path("app");
        Set<String> known = Stream.concat(
                        of(CLUSTER).map(Manifest::name),
                        all.stream()
                                .map(manifest -> manifest.spec()
                                        .at("/template/metadata/labels/app")
                                        .asText()))
                .collect(Collectors.toSet());
        if (app.isMissingNode() || !known.contains(app.asText())) {
            faults.add(from.fault("selects no pods: none has the label app " + app));
        }
    }

    private void checkBinding(Manifest from) {
        need(from, from.tree().at("/roleRef/kind").asText(), from.tree().at("/roleRef/name"));
        from.tree().path("subjects").forEach(subject -> {
            need(from, subject.path("kind").asText(), subject.path("name"));
            if (!subject.path("namespace").equals(from.tree().at("/metadata/namespace"))) {
                faults.add(from.fault("its subject is in the namespace " + subject.path("namespace")));
            }
        });
    }

    private void checkSessionJob(Manifest from) {
        String cluster = from.spec().path("deploymentName").asText();
        if (find(CLUSTER, cluster).stream().noneMatch(found -> !found.spec().has("job"))) {
            faults.add(from.fault("there is no session cluster " + cluster));
        }
        URI jar = URI.create(from.spec().at("/job/jarURI").asText());
        if (jar.getScheme().equals("http")) {
            checkService(from, jar.getHost().replaceFirst("\\..*", ""), jar.getPort());
        }
    }

    private void checkService(Manifest from, String name, int port) {
        boolean served = find("Service", name).stream()
                .flatMap(service -> ports(service).stream())
                .anyMatch(number -> number == port);
        if (!served) {
            faults.add(from.fault("there is no Service " + name + " with a port " + port));
        }
    }

    private static List<Integer> ports(Manifest service) {
        List<Integer> ports = new ArrayList<>();
        service.spec().path("ports").forEach(port -> ports.add(port.path("port").asInt()));
        return ports;
    }

    /** The jobs' databases: a name without a dot is a Service of the overlay. */
    static List<String> databaseFaults(List<Manifest> overlay) {
        References references = new References(overlay);
        for (Manifest manifest : overlay) {
            JsonNode job = manifest.spec().path("job");
            if (job.has("args")) {
                URI url = URI.create(JobArguments.settings(job)
                        .sink()
                        .server()
                        .orElseThrow()
                        .url()
                        .replaceFirst("^jdbc:", ""));
                if (!url.getHost().contains(".")) {
                    references.checkService(manifest, url.getHost(), url.getPort());
                }
            }
        }
        return references.faults;
    }
}
