package io.chunkroll.deployment.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.autoscaler.config.AutoScalerOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.apache.flink.kubernetes.operator.api.FlinkSessionJob;
import org.apache.flink.kubernetes.operator.config.FlinkConfigManager;
import org.apache.flink.kubernetes.operator.config.KubernetesOperatorConfigOptions;
import org.apache.flink.kubernetes.operator.validation.DefaultValidator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The operator's validator, which refuses at its webhook what it cannot run. This operator knows neither Flink 2 nor the names that
 * options have there, so it is shown an older version and the old names.
 */
final class OperatorValidatorTest {
    private static final Path RENDERED = Path.of("..", "rendered");
    private static final Path K8S = Path.of("..", "..", "k8s");
    /** What came with the check of jars' addresses, after this operator. */
    private static final List<String> SINCE_1_15 = List.of(
            "kubernetes.operator.user.artifacts.allowed-schemes",
            "kubernetes.operator.user.artifacts.disallow-restricted-hosts");

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final Map<String, String> IN_OLD_WORDS = Map.of(
            "flinkVersion: v2_3",
            "flinkVersion: v1_17",
            "execution.checkpointing.savepoint-dir:",
            "state.savepoints.dir:",
            "execution.checkpointing.dir:",
            "state.checkpoints.dir:",
            "job.autoscaler.utilization.target:",
            "job.autoscaler.target.utilization:");

    private final DefaultValidator validator = new DefaultValidator(new FlinkConfigManager(new Configuration()));

    private record Overlay(FlinkDeployment cluster, Optional<FlinkSessionJob> job) {
        static Overlay of(String yaml) throws IOException {
            FlinkDeployment cluster = null;
            FlinkSessionJob job = null;
            try (var parser = new YAMLFactory().createParser(yaml);
                    MappingIterator<JsonNode> documents =
                            YAML.readerFor(JsonNode.class).readValues(parser)) {
                while (documents.hasNextValue()) {
                    JsonNode document = documents.nextValue();
                    switch (document.path("kind").asText()) {
                        case "FlinkDeployment" -> cluster = YAML.treeToValue(document, FlinkDeployment.class);
                        case "FlinkSessionJob" -> job = YAML.treeToValue(document, FlinkSessionJob.class);
                        default -> {
                            // Not the operator's.
                        }
                    }
                }
            }
            return new Overlay(cluster, Optional.ofNullable(job));
        }
    }

    private static String rendered(String overlay) throws IOException {
        String yaml = Files.readString(RENDERED.resolve(overlay + ".yaml"));
        for (Map.Entry<String, String> word : IN_OLD_WORDS.entrySet()) {
            yaml = yaml.replace(word.getKey(), word.getValue());
        }
        return yaml;
    }

    /** What the operator has against an overlay. */
    private Optional<String> refusal(String yaml) throws IOException {
        Overlay overlay = Overlay.of(yaml);
        return validator
                .validateDeployment(overlay.cluster)
                .or(() -> overlay.job.flatMap(job -> validator.validateSessionJob(job, Optional.of(overlay.cluster))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"minikube", "production", "session"})
    void theOperatorTakesIt(String overlay) throws IOException {
        assertThat(refusal(rendered(overlay))).isEmpty();
    }

    static Stream<Arguments> breaks() {
        String name = "name: chunkroll\n  namespace: chunkroll\nspec:\n  flinkC";
        return Stream.of(
                Arguments.of("minikube", "state.savepoints.dir:", "state.savepoints.place:", "state.savepoints.dir"),
                Arguments.of("minikube", "memory: 2048m", "memory: 2048q", "TaskManager resource memory"),
                Arguments.of("minikube", "replicas: 1\n    res", "replicas: 0\n    res", "JobManager replicas"),
                Arguments.of("minikube", "high-availability.type:", "high-availability.cluster-id:", "Forbidden Flink"),
                Arguments.of("minikube", name, name.replace("chunkroll\n", "Chunkroll\n"), "The FlinkDeployment name"),
                Arguments.of("minikube", "parallelism: 2", "parallelism: 0", "Job parallelism"),
                Arguments.of("minikube", "log4j-console.properties: |", "log4j.properties: |", "log config key"),
                Arguments.of("minikube", "serviceAccount: chunkroll", "serviceAccount: null", "serviceAccount must be"),
                Arguments.of("production", "type: kubernetes", "type: NONE", "High availability should be enabled"),
                Arguments.of(
                        "production", "utilization: \"0.7\"", "utilization: \"-1\"", "target.utilization is invalid"),
                Arguments.of(
                        "session", "deploymentName: chunkroll", "deploymentName: other", "cluster id is not match"));
    }

    @ParameterizedTest
    @MethodSource("breaks")
    void aBrokenCopyIsRefused(String overlay, String good, String bad, String refusal) throws IOException {
        String yaml = rendered(overlay);
        assertThat(yaml).contains(good);

        assertThat(refusal(yaml.replace(good, bad)))
                .hasValueSatisfying(said -> assertThat(said).contains(refusal));
    }

    /** A key of the operator's that it does not know is ignored by it, in silence. */
    @ParameterizedTest
    @ValueSource(strings = {"minikube", "production", "session"})
    void everyKeyOfTheOperatorsIsKnown(String overlay) throws IOException {
        assertThat(unknown(Overlay.of(rendered(overlay)).cluster.getSpec().getFlinkConfiguration()))
                .isEmpty();
    }

    @Test
    void aKeyThatIsNotTheOperatorsIsSeen() {
        assertThat(unknown(Map.of("job.autoscaler.enable", "true", "state.backend.type", "hashmap")))
                .containsExactly("job.autoscaler.enable");
    }

    @Test
    void everyKeyOfItsOwnConfigurationIsKnown() throws IOException {
        JsonNode values = YAML.readTree(K8S.resolve("operator-values.yaml").toFile());
        JsonNode own = YAML.readTree(
                values.at("/defaultConfiguration").path("flink-conf.yaml").asText());
        Map<String, String> settings = new HashMap<>();
        own.properties()
                .forEach(setting ->
                        settings.put(setting.getKey(), setting.getValue().asText()));
        assertThat(settings).isNotEmpty();
        assertThat(unknown(settings)).containsExactlyInAnyOrderElementsOf(SINCE_1_15);
    }

    /** Keys that are said to be the operator's, and values that it cannot read fail. */
    private static List<String> unknown(Map<String, String> settings) {
        Map<String, ConfigOption<?>> known = new HashMap<>(options(AutoScalerOptions.class));
        known.putAll(options(KubernetesOperatorConfigOptions.class));
        Configuration configuration = Configuration.fromMap(settings);
        return settings.keySet().stream()
                .filter(key -> key.startsWith("kubernetes.operator.") || key.startsWith("job.autoscaler."))
                .filter(key -> !known.containsKey(key) || configuration.get(known.get(key)) == null)
                .toList();
    }

    private static Map<String, ConfigOption<?>> options(Class<?> options) {
        Map<String, ConfigOption<?>> known = new HashMap<>();
        for (Field field : options.getFields()) {
            if (field.getType() == ConfigOption.class) {
                try {
                    ConfigOption<?> option = (ConfigOption<?>) field.get(null);
                    known.put(option.key(), option);
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException("cannot read " + field, e);
                }
            }
        }
        return known;
    }
}
