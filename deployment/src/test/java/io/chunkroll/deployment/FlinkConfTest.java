package io.chunkroll.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.metrics.reporter.MetricReporterFactory;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.jobmanager.JobManagerProcessUtils;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.ConfigurationSource;
import org.apache.logging.log4j.core.config.properties.PropertiesConfiguration;
import org.apache.logging.log4j.core.config.properties.PropertiesConfigurationFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code flink-conf/} is read by Flink and log4j as it is meant, and agrees with what stands in {@code k8s/}. */
final class FlinkConfTest {
    private static final Path FOLDER = Path.of("..", "flink-conf");
    /** Kubernetes' and the overlays' own affair, or of another value where a process is a pod. */
    private static final List<String> NOT_ON_KUBERNETES = List.of(
            "high-availability.",
            "jobmanager.bind-host",
            "taskmanager.bind-host",
            "rest.bind-address",
            "execution.checkpointing.dir",
            "execution.checkpointing.savepoint-dir",
            "jobmanager.memory.process.size",
            "taskmanager.memory.process.size",
            "metrics.reporter.prom.port");

    @TempDir
    private Path folder;

    private static Configuration configuration() {
        return GlobalConfiguration.loadConfiguration(FOLDER.toString());
    }

    @Test
    void everyKeyIsFlinks() {
        assertThat(configuration().toMap()).hasSizeGreaterThan(20);
        assertThat(FlinkOptions.faults(configuration().toMap())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'execution.checkpointing.num-retained: 3', 'execution.checkpointing.number-retained: 3', Flink has no such option",
        "'max-backoff: 1 min', 'max-backoff: one minute', max-backoff",
        "'RETAIN_ON_CANCELLATION', 'RETAIN', externalized-checkpoint-retention",
        "'metrics.reporters: prom', 'metrics.reporters: prometheus', does not name prom",
    })
    void aBrokenCopyIsRefused(String good, String bad, String refusal) throws IOException {
        String text = Files.readString(FOLDER.resolve("config.yaml"));
        assertThat(text).contains(good);
        Files.writeString(folder.resolve("config.yaml"), text.replace(good, bad));

        assertThat(FlinkOptions.faults(
                        GlobalConfiguration.loadConfiguration(folder.toString()).toMap()))
                .anySatisfy(fault -> assertThat(fault).contains(refusal));
    }

    @Test
    void whatIsNoYamlIsRefused() throws IOException {
        Files.writeString(folder.resolve("config.yaml"), "rest.bind-address 0.0.0.0: x: y\n");

        assertThatThrownBy(() -> GlobalConfiguration.loadConfiguration(folder.toString()))
                .hasStackTraceContaining("mapping values are not allowed");
    }

    @Test
    void everyLineHasItsReason() throws IOException {
        List<String> lines = Files.readAllLines(FOLDER.resolve("config.yaml"));
        for (int i = 0; i < lines.size(); i++) {
            boolean setting = !lines.get(i).isBlank() && !lines.get(i).startsWith("#");
            if (setting) {
                // Settings of one kind share a reason.
                int before = i - 1;
                while (!lines.get(before).isBlank() && !lines.get(before).startsWith("#")) {
                    before--;
                }
                assertThat(lines.get(before)).as("above: " + lines.get(i)).startsWith("# ");
            }
        }
    }

    @Test
    void theReporterIsThere() throws ReflectiveOperationException {
        String name = configuration().toMap().get("metrics.reporter.prom.factory.class");
        assertThat(Class.forName(name).getConstructor().newInstance()).isInstanceOf(MetricReporterFactory.class);
    }

    /** A sink's subtask has two batches, and the copy of one that grows. */
    @Test
    void theBatchesFitIntoTheHeap() {
        Configuration configuration = configuration();
        long batch = MemorySize.parse("32 mb").getBytes();
        MemorySize heap =
                TaskExecutorProcessUtils.processSpecFromConfig(configuration).getTaskHeapSize();
        assertThat(heap.getBytes()).isGreaterThan(3 * batch * configuration.get(TaskManagerOptions.NUM_TASK_SLOTS));
        assertThat(JobManagerProcessUtils.processSpecFromConfig(configuration).getJvmHeapMemorySize())
                .isGreaterThan(MemorySize.parse("512 mb"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"minikube", "production", "session"})
    void kubernetesHasTheSame(String overlay) {
        Map<String, String> there = Manifest.parse(overlay, RenderedOverlays.read(overlay)).stream()
                .filter(manifest -> manifest.kind().equals("FlinkDeployment"))
                .map(Overlays::flinkConfiguration)
                .findFirst()
                .orElseThrow();
        configuration().toMap().forEach((key, value) -> {
            if (NOT_ON_KUBERNETES.stream().noneMatch(key::startsWith)) {
                assertThat(there).containsEntry(key, value);
            }
        });
    }

    @Test
    void kubernetesLogsTheSame() throws IOException {
        Manifest deployment = Manifest.parse(
                        "flinkdeployment.yaml", Overlays.read(Overlays.K8S.resolve("base/flinkdeployment.yaml")))
                .get(0);
        assertThat(deployment
                        .spec()
                        .at("/logConfiguration/log4j-console.properties")
                        .asText())
                .isEqualTo(Files.readString(FOLDER.resolve("log4j-console.properties")));
    }

    @ParameterizedTest
    @CsvSource({"log4j.properties, file", "log4j-console.properties, console"})
    void logsGoWhereTheyShould(String name, String appender) throws IOException {
        PropertiesConfiguration logging = logging(Files.readString(FOLDER.resolve(name)));
        assertThat(logging.getAppenders()).containsOnlyKeys(appender);
        assertThat(logging.getRootLogger().getAppenders()).containsOnlyKeys(appender);
        assertThat(logging.getLoggerConfig("io.chunkroll.sinks").getLevel()).isEqualTo(Level.INFO);
        assertThat(logging.getLoggerConfig("org.apache.flink.metrics.MetricGroup")
                        .getLevel())
                .isEqualTo(Level.ERROR);
    }

    @Test
    void anAppenderThatIsNotThereIsSeen() throws IOException {
        String text = Files.readString(FOLDER.resolve("log4j-console.properties"));
        PropertiesConfiguration logging = logging(text.replace("ref = console", "ref = terminal"));
        assertThat(logging.getRootLogger().getAppenders()).isEmpty();
    }

    private PropertiesConfiguration logging(String text) throws IOException {
        System.setProperty("log.file", folder.resolve("flink.log").toString());
        Path file = Files.writeString(folder.resolve("log4j.properties"), text);
        PropertiesConfiguration configuration = new PropertiesConfigurationFactory()
                .getConfiguration(
                        new LoggerContext("check"), new ConfigurationSource(Files.newInputStream(file), file.toFile()));
        configuration.initialize();
        return configuration;
    }

    @Test
    void secretsHaveNoValues() throws IOException {
        try (Stream<String> lines = Files.lines(FOLDER.resolve("secrets.env"))) {
            assertThat(lines.filter(line -> !line.isBlank() && !line.startsWith("#")))
                    .isNotEmpty()
                    .allMatch(line -> line.endsWith("="))
                    .contains("CHUNKROLL_PASSWORD=");
        }
    }
}
