package io.chunkroll.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import io.chunkroll.job.settings.SettingsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A folder like {@code k8s/}: its files one by one, and its overlays as kustomize makes them. */
record Overlays(Path root) {
    static final Path K8S = Path.of("..", "k8s");
    static final List<String> NAMES = List.of("minikube", "production", "session");
    /** The folders that overlays are made of. */
    static final List<String> SOURCES = List.of("base", "grafana", "overlays", "prometheus");

    /** All that is wrong with any file or with these overlays. */
    List<String> faults(List<String> overlays) {
        List<String> faults = new ArrayList<>();
        for (Path file : objectFiles()) {
            String place = root.relativize(file).toString();
            Manifest.parse(place, read(file)).forEach(manifest -> faults.addAll(Schemas.faults(manifest)));
        }
        faults.addAll(new Monitoring(root).faults());
        Optional<Kustomize> kustomize = Kustomize.find();
        if (kustomize.isPresent() && faults.isEmpty()) {
            for (String overlay : overlays) {
                try {
                    faults.addAll(faults(overlay, kustomize.get().render(root.resolve("overlays/" + overlay))));
                } catch (IllegalArgumentException e) {
                    faults.add(e.getMessage());
                }
            }
        }
        return faults;
    }

    /** Files of whole objects. Patches and kustomizations are half of something: they are seen in what they lead to. */
    List<Path> objectFiles() {
        return files().stream()
                .filter(file -> file.toString().endsWith(".yaml")
                        && !file.endsWith("kustomization.yaml")
                        && !file.endsWith("operator-values.yaml"))
                .filter(file -> isNamed(file, "resources"))
                .toList();
    }

    private static boolean isNamed(Path file, String list) {
        Path kustomization = file.resolveSibling("kustomization.yaml");
        if (!Files.exists(kustomization)) {
            return false;
        }
        JsonNode names = Manifest.parse(kustomization.toString(), read(kustomization))
                .get(0)
                .tree()
                .path(list);
        for (JsonNode name : names) {
            if (file.endsWith(name.asText())) {
                return true;
            }
        }
        return false;
    }

    /** The names of all files that overlays are made of, from here, in order. */
    List<String> sources() {
        return files().stream()
                .map(root::relativize)
                .filter(file -> SOURCES.contains(file.getName(0).toString()))
                .map(Path::toString)
                .toList();
    }

    /** Every file, in order. */
    List<Path> files() {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + root, e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /** What is wrong with an overlay as it is made. */
    static List<String> faults(String overlay, String rendered) {
        List<Manifest> manifests = Manifest.parse(overlay, rendered);
        List<String> faults = new ArrayList<>();
        for (Manifest manifest : manifests) {
            faults.addAll(Schemas.faults(manifest));
            References.pods(manifest)
                    .forEach(pod -> PodRules.faults(pod).forEach(fault -> faults.add(manifest.fault(fault))));
            FlinkOptions.faults(flinkConfiguration(manifest)).forEach(fault -> faults.add(manifest.fault(fault)));
            JsonNode job = manifest.spec().path("job");
            if (job.isObject()) {
                JobArguments.faults(job).forEach(fault -> faults.add(manifest.fault(fault)));
            }
        }
        faults.addAll(References.faults(manifests));
        try {
            faults.addAll(References.databaseFaults(manifests));
        } catch (SettingsException e) {
            // Told already.
            assert !faults.isEmpty();
        }
        return faults;
    }

    static Map<String, String> flinkConfiguration(Manifest manifest) {
        Map<String, String> settings = new LinkedHashMap<>();
        manifest.spec()
                .path("flinkConfiguration")
                .properties()
                .forEach(setting ->
                        settings.put(setting.getKey(), setting.getValue().asText()));
        return settings;
    }
}
