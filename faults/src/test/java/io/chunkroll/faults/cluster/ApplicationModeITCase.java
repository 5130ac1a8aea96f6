package io.chunkroll.faults.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The job's main class runs in the JobManager, which begins and ends with it: how k8s/ deploys it. */
@Tag("cluster")
@Timeout(180)
final class ApplicationModeITCase {
    @TempDir
    Path folder;

    private TestDatabase database;
    private SmallLoad load;

    @BeforeEach
    void open() {
        database = TestDatabase.create();
        load = new SmallLoad(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void withArguments() {
        runToItsEnd(load.arguments("exactly-once", 2));
    }

    @Test
    void withAYamlFile() throws IOException {
        runToItsEnd(
                List.of("--config", asYaml(load.arguments("at-least-once", 2)).toString()));
    }

    private void runToItsEnd(List<String> arguments) {
        ClusterOptions options = ClusterOptions.session(SmallLoad.LIB, 1, 2)
                .running(Launcher.jar(), "io.chunkroll.job.IngestJob", arguments);
        try (StandaloneCluster cluster = StandaloneCluster.start(options)) {
            assertThat(cluster.awaitJobManagerEnd(Duration.ofSeconds(90)))
                    .as(cluster::lastWords)
                    .isZero();
        }
        load.assertEachRowIsThereOnce();
    }

    private Path asYaml(List<String> arguments) throws IOException {
        StringBuilder yaml = new StringBuilder();
        for (int i = 0; i < arguments.size(); i += 2) {
            yaml.append(arguments.get(i).substring("--".length()))
                    .append(": '")
                    .append(arguments.get(i + 1))
                    .append("'\n");
        }
        return Files.writeString(folder.resolve("load.yaml"), yaml);
    }
}
