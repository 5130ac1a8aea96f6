package io.chunkroll.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Flink makes of the overlays' application clusters is what is meant. */
@Timeout(120)
final class NativeClusterTest {
    @TempDir
    private Path folder;

    private static Manifest deployment(String overlay) {
        return Manifest.parse(overlay, RenderedOverlays.read(overlay)).stream()
                .filter(manifest -> manifest.kind().equals("FlinkDeployment"))
                .findFirst()
                .orElseThrow();
    }

    private static JsonNode main(JsonNode pod) {
        return named(pod.path("containers"), "flink-main-container");
    }

    private static JsonNode named(JsonNode list, String name) {
        return StreamSupport.stream(list.spliterator(), false)
                .filter(element -> element.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " in " + list));
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(element -> texts.add(element.asText()));
        return texts;
    }

    @ParameterizedTest
    @ValueSource(strings = {"minikube", "production"})
    void theJobManagerIsAsMeant(String overlay) throws Exception {
        Manifest manifest = deployment(overlay);
        try (NativeCluster cluster = new NativeCluster(manifest, folder)) {
            cluster.deploy();

            JsonNode made = cluster.jobManager();
            JsonNode pod = made.at("/spec/template/spec");
            assertThat(made.at("/spec/replicas").asInt())
                    .isEqualTo(manifest.spec().at("/jobManager/replicas").asInt());
            assertThat(texts(main(pod).path("args")))
                    .containsExactly("bash", "-c", "kubernetes-jobmanager.sh kubernetes-application ");
            assertPod(pod, manifest);
            assertThat(named(main(pod).path("ports"), "rest")
                            .path("containerPort")
                            .asInt())
                    .isEqualTo(8081);
            assertThat(made.at("/spec/template/metadata/labels/component").asText())
                    .isEqualTo("jobmanager");
            assertConfiguration(cluster.configMap(), manifest);
            assertThat(cluster.service("chunkroll-rest")
                            .at("/spec/ports/0/port")
                            .asInt())
                    .isEqualTo(8081);
        }
    }

    /** The arguments reach the job as they were written, in one piece each, and no password comes with them. */
    private static void assertConfiguration(java.util.Map<String, String> files, Manifest manifest) throws IOException {
        JsonNode written =
                Manifest.parse("config.yaml", files.get("config.yaml")).get(0).tree();
        assertThat(texts(value(written, "$internal.application.program-args")))
                .isEqualTo(texts(manifest.spec().at("/job/args")));
        assertThat(value(written, "$internal.application.main").asText()).isEqualTo("io.chunkroll.job.IngestJob");
        assertThat(value(written, "pipeline.jars").asText()).isEqualTo("local:///opt/flink/usrlib/chunkroll-job.jar");
        assertThat(value(written, "high-availability.type").asText()).isEqualTo("kubernetes");
        assertThat(files.get("log4j-console.properties"))
                .isEqualTo(manifest.spec()
                        .at("/logConfiguration/log4j-console.properties")
                        .asText());
        assertThat(files.toString()).doesNotContainIgnoringCase("password: ");
    }

    /** Written nested or not. */
    private static JsonNode value(JsonNode tree, String key) {
        if (tree.has(key)) {
            return tree.get(key);
        }
        for (int dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
            if (tree.has(key.substring(0, dot))) {
                JsonNode found = value(tree.get(key.substring(0, dot)), key.substring(dot + 1));
                if (!found.isMissingNode()) {
                    return found;
                }
            }
        }
        return com.fasterxml.jackson.databind.node.MissingNode.getInstance();
    }

    @ParameterizedTest
    @ValueSource(strings = {"minikube", "production", "session"})
    void aTaskManagerIsAsMeant(String overlay) throws Exception {
        Manifest manifest = deployment(overlay);
        try (NativeCluster cluster = new NativeCluster(manifest, folder)) {
            JsonNode pod = cluster.taskManager();

            assertPod(pod.path("spec"), manifest);
            assertThat(named(main(pod.path("spec")).path("ports"), "taskmanager-rpc")
                            .path("containerPort")
                            .asInt())
                    .isEqualTo(6122);
            assertThat(pod.at("/metadata/labels/component").asText()).isEqualTo("taskmanager");
            assertThat(main(pod.path("spec")).at("/resources/limits/memory").asText())
                    .isEqualTo("2048Mi");
        }
    }

    /** What holds for both kinds of pods. */
    private static void assertPod(JsonNode pod, Manifest manifest) {
        JsonNode main = main(pod);
        assertThat(pod.path("containers")).hasSize(1);
        assertThat(main.path("image")).isEqualTo(manifest.spec().path("image"));
        assertThat(main.path("imagePullPolicy").asText()).isEqualTo("IfNotPresent");
        assertThat(pod.path("serviceAccountName").asText()).isEqualTo("chunkroll");
        assertThat(PodRules.faults(pod)).isEmpty();
        assertThat(References.volumeAndPortFaults(pod, new HashSet<>(References.names(pod.path("volumes")))))
                .isEmpty();
        assertThat(named(main.path("ports"), "metrics").path("containerPort").asInt())
                .isEqualTo(9249);
        JsonNode secret = named(main.path("env"), "CHUNKROLL_PASSWORD").at("/valueFrom/secretKeyRef");
        assertThat(secret.path("name").asText() + "/" + secret.path("key").asText())
                .isEqualTo("chunkroll-database/password");
        assertThat(main.path("livenessProbe").isObject()).isTrue();
        JsonNode labels = manifest.spec().at("/podTemplate/spec/volumes");
        labels.forEach(volume -> assertThat(References.names(pod.path("volumes")))
                .contains(volume.path("name").asText()));
    }
}
