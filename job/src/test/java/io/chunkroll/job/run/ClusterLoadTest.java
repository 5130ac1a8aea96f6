package io.chunkroll.job.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.chunkroll.job.examples.EvenCustomers;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What would lose rows or rejects on a cluster is refused before any server is asked. */
final class ClusterLoadTest {
    /** Nobody listens there. */
    private static final String URL = "jdbc:postgresql://127.0.0.1:1/none";

    private static List<String> faultsOf(Map<String, String> texts) {
        Map<String, String> all = new TreeMap<>(Map.of("sink.url", URL));
        all.putAll(texts);
        return faultsWithoutServer(all);
    }

    private static List<String> faultsWithoutServer(Map<String, String> texts) {
        List<String> faults = new ArrayList<>();
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> Settings.ofClusterLoad(texts, List.of()))
                .satisfies(e -> faults.addAll(e.faults()));
        return faults;
    }

    @Test
    void theEmbeddedServer() {
        assertThat(faultsWithoutServer(Map.of())).singleElement().asString().startsWith("sink.url: is needed");
    }

    /** The main method runs again when a JobManager fails over: it would drop what is committed. */
    @Test
    void aTableThatIsDroppedWheneverTheMainMethodRuns() {
        assertThat(faultsOf(Map.of("sink.create", "recreate")))
                .singleElement()
                .asString()
                .startsWith("sink.create: recreate is refused on a cluster")
                .contains("if-missing", "never", "drop the table by hand");
    }

    @Test
    void aFolderOfRejectsThatEachMachineWouldHaveForItself() {
        assertThat(faultsOf(Map.of("source.on-bad-row", "reject", "run.dir", "/shared/run")))
                .singleElement()
                .asString()
                .startsWith("run.rejects-dir: with source.on-bad-row reject a cluster needs")
                .contains("share", "s3://");
        assertThat(faultsOf(Map.of("source.on-bad-row", "reject", "run.rejects-dir", "rejects")))
                .singleElement()
                .asString()
                .startsWith("run.rejects-dir \"rejects\": ");
    }

    @Test
    void aJarThatOtherMachinesDoNotHave(@TempDir Path folder) throws IOException {
        Path jar = Files.createFile(folder.resolve("mine.jar"));
        assertThat(faultsOf(Map.of("job.map", EvenCustomers.class.getName(), "job.map-jar", jar.toString())))
                .singleElement()
                .asString()
                .startsWith("job.map-jar: is a file of this machine")
                .contains("lib/", "usrlib/");
    }

    @Test
    void allFaultsAtOnce() {
        assertThat(faultsOf(Map.of(
                        "sink.create",
                        "recreate",
                        "source.on-bad-row",
                        "reject",
                        "no.such",
                        "1",
                        "sink.kind",
                        "copyy")))
                .hasSize(4);
    }

    @Test
    void aBulkLoadWhoseEndNobodyAwaits() {
        Settings bulk = Settings.of(Map.of("sink.url", URL, "sink.load", "bulk"));
        Configuration detached = new Configuration().set(DeploymentOptions.ATTACHED, false);
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> ClusterLoad.checkEndIsAwaited(bulk, detached))
                .withMessageContaining("sink.load: bulk must await the end of the job")
                .withMessageContaining("execution.attached");
        ClusterLoad.checkEndIsAwaited(bulk, new Configuration().set(DeploymentOptions.ATTACHED, true));
        ClusterLoad.checkEndIsAwaited(Settings.of(Map.of("sink.url", URL)), detached);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/shared/rejects", "s3://bucket/rejects", "hdfs:///rejects"})
    void whatAllMachinesCanReachIsTaken(String folder) {
        Settings settings = Settings.ofClusterLoad(
                Map.of(
                        "sink.url",
                        URL,
                        "sink.table",
                        "a b.c",
                        "source.on-bad-row",
                        "reject",
                        "run.rejects-dir",
                        folder),
                List.of());
        assertThat(RejectPlace.onCluster(settings)).get().satisfies(rejects -> {
            assertThat(rejects.folder()).isEqualTo(folder);
            assertThat(rejects.load()).startsWith("a_b.c-");
        });
        // A job that comes back finds its own.
        assertThat(RejectPlace.onCluster(settings)).isEqualTo(RejectPlace.onCluster(settings));
    }

    @Test
    void exactlyOnceTheFilesAreCalledAfterTheTransactions() {
        Settings settings = Settings.of(Map.of(
                "sink.guarantee",
                "exactly-once",
                "sink.transaction-prefix",
                "mine",
                "source.on-bad-row",
                "reject",
                "run.rejects-dir",
                "/shared"));
        assertThat(RejectPlace.onCluster(settings))
                .get()
                .satisfies(rejects -> assertThat(rejects.load()).isEqualTo("mine"));
    }
}
