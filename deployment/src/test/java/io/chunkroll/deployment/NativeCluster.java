package io.chunkroll.deployment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.client.cli.ClientOptions;
import org.apache.flink.client.deployment.DefaultClusterClientServiceLoader;
import org.apache.flink.client.deployment.application.ApplicationConfiguration;
import org.apache.flink.client.deployment.application.cli.ApplicationClusterDeployer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.DeploymentOptionsInternal;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.kubernetes.kubeclient.FlinkKubeClient;
import org.apache.flink.kubernetes.kubeclient.FlinkKubeClientFactory;
import org.apache.flink.kubernetes.kubeclient.FlinkPod;
import org.apache.flink.kubernetes.kubeclient.factory.KubernetesTaskManagerFactory;
import org.apache.flink.kubernetes.kubeclient.parameters.KubernetesTaskManagerParameters;
import org.apache.flink.kubernetes.shaded.io.fabric8.kubernetes.client.utils.Serialization;
import org.apache.flink.kubernetes.utils.Constants;
import org.apache.flink.kubernetes.utils.KubernetesUtils;
import org.apache.flink.runtime.clusterframework.ContaineredTaskManagerParameters;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;

/**
 * What Flink makes of a FlinkDeployment in application mode: the operator's part, which is to write the deployment down as options, done
 * here, and the rest by Flink's own deployer, on an API server that only keeps what it is given.
 */
final class NativeCluster implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Manifest deployment;
    private final Path folder;
    private final KubernetesMockServer server;
    private final NamespacedKubernetesClient client;
    private final Configuration options = new Configuration();

    /** @param folder for the files that the deployer wants */
    NativeCluster(Manifest deployment, Path folder) throws IOException {
        this.deployment = deployment;
        this.folder = folder;
        server = new KubernetesMockServer(
                new Context(), new MockWebServer(), new HashMap<>(), new KubernetesCrudDispatcher(), false);
        server.init();
        client = server.createClient().inNamespace(namespace());
        writeDown();
    }

    private String namespace() {
        return deployment.tree().at("/metadata/namespace").asText();
    }

    private void writeDown() throws IOException {
        JsonNode spec = deployment.spec();
        Overlays.flinkConfiguration(deployment).forEach(options::setString);
        Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: mock, cluster: {server: "%s"}}]
                contexts: [{name: mock, context: {cluster: mock, user: mock}}]
                current-context: mock
                users: [{name: mock, user: {}}]
                """.formatted(server.url("/")));
        for (var log : spec.path("logConfiguration").properties()) {
            Files.writeString(folder.resolve(log.getKey()), log.getValue().asText());
        }
        Map<String, String> said = new HashMap<>(Map.of(
                "kubernetes.config.file",
                kubeconfig.toString(),
                "kubernetes.cluster-id",
                deployment.name(),
                "kubernetes.namespace",
                namespace(),
                "kubernetes.container.image.ref",
                spec.path("image").asText(),
                "kubernetes.container.image.pull-policy",
                spec.path("imagePullPolicy").asText(),
                "kubernetes.service-account",
                spec.path("serviceAccount").asText(),
                DeploymentOptions.TARGET.key(),
                "kubernetes-application",
                PipelineOptions.JARS.key(),
                spec.at("/job/jarURI").asText(),
                DeploymentOptionsInternal.CONF_DIR.key(),
                folder.toString()));
        said.put(ClientOptions.CLIENT_TIMEOUT.key(), "10 s");
        role("jobmanager", spec.path("jobManager"), said);
        role("taskmanager", spec.path("taskManager"), said);
        said.forEach(options::setString);
    }

    private void role(String role, JsonNode spec, Map<String, String> said) throws IOException {
        said.put("kubernetes." + role + ".cpu.amount", spec.at("/resource/cpu").asText());
        said.put(role + ".memory.process.size", spec.at("/resource/memory").asText());
        if (spec.has("replicas")) {
            said.put("kubernetes." + role + ".replicas", spec.path("replicas").asText());
        }
        ObjectNode pod = deployment.spec().path("podTemplate").deepCopy();
        merge(pod, spec.path("podTemplate"));
        Path file = Files.writeString(folder.resolve(role + "-pod.yaml"), pod.toString());
        said.put("kubernetes.pod-template-file." + role, file.toString());
    }

    /** As the operator does by default: objects by field, lists by place. */
    private static void merge(JsonNode into, JsonNode from) {
        from.properties().forEach(field -> {
            JsonNode there = into.path(field.getKey());
            if (there.isContainerNode()
                    && there.getNodeType() == field.getValue().getNodeType()) {
                merge(there, field.getValue());
            } else {
                ((ObjectNode) into).set(field.getKey(), field.getValue());
            }
        });
        for (int i = 0; from.isArray() && i < from.size(); i++) {
            if (i < into.size()) {
                merge(into.get(i), from.get(i));
            } else {
                ((ArrayNode) into).add(from.get(i));
            }
        }
    }

    /** Has Flink deploy it. */
    void deploy() throws Exception {
        JsonNode job = deployment.spec().path("job");
        List<String> arguments = new ArrayList<>();
        job.path("args").forEach(word -> arguments.add(word.asText()));
        new ApplicationClusterDeployer(new DefaultClusterClientServiceLoader())
                .run(
                        options,
                        new ApplicationConfiguration(
                                arguments.toArray(String[]::new),
                                job.path("entryClass").asText()));
    }

    /** The JobManager's Deployment on the API server. */
    JsonNode jobManager() {
        return tree(client.apps().deployments().withName(deployment.name()).get());
    }

    /** A Service on the API server. */
    JsonNode service(String name) {
        return tree(client.services().withName(name).get());
    }

    /** The options that JobManager and TaskManagers read. */
    Map<String, String> configMap() {
        return client.configMaps()
                .withName("flink-config-" + deployment.name())
                .get()
                .getData();
    }

    /** The pod of a TaskManager as the JobManager would ask for it. */
    JsonNode taskManager() throws IOException {
        Configuration own =
                options.clone().set(TaskManagerOptions.RPC_PORT, String.valueOf(Constants.TASK_MANAGER_RPC_PORT));
        try (FlinkKubeClient flink = FlinkKubeClientFactory.getInstance().fromConfiguration(own, "check")) {
            FlinkPod template = KubernetesUtils.loadPodFromTemplateFile(
                    flink, folder.resolve("taskmanager-pod.yaml").toFile(), Constants.MAIN_CONTAINER_NAME);
            TaskExecutorProcessSpec memory = TaskExecutorProcessUtils.processSpecFromConfig(own);
            KubernetesTaskManagerParameters parameters = new KubernetesTaskManagerParameters(
                    own,
                    deployment.name() + "-taskmanager-1-1",
                    "",
                    "",
                    ContaineredTaskManagerParameters.create(own, memory),
                    Map.of(),
                    Set.of());
            return MAPPER.readTree(Serialization.asJson(
                    KubernetesTaskManagerFactory.buildTaskManagerKubernetesPod(template, parameters)
                            .getInternalResource()));
        }
    }

    private static JsonNode tree(Object model) {
        try {
            return MAPPER.readTree(io.fabric8.kubernetes.client.utils.Serialization.asJson(model));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot read " + model, e);
        }
    }

    @Override
    public void close() {
        client.close();
        server.destroy();
    }
}
