package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.server.TestDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.client.program.ClusterClient;
import org.apache.flink.test.junit5.InjectClusterClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests that submit the job jar to the cluster of their class, into a schema of their own. */
abstract class SubmitScenario {
    @TempDir
    Path folder;

    TestDatabase database;
    String address;

    @BeforeAll
    static void findTheJar() {
        System.setProperty("chunkroll.home", "..");
    }

    @BeforeEach
    void open(@InjectClusterClient ClusterClient<?> client) {
        address = client.getWebInterfaceURL();
        database = TestDatabase.create();
    }

    @AfterEach
    void close() {
        database.close();
    }

    List<String> words(String... more) {
        List<String> words = new ArrayList<>(
                List.of("submit", "--cluster", address, "--sink.url", database.url(), "--sink.user", database.user()));
        words.addAll(List.of(more));
        return words;
    }

    Cli submit(String... more) {
        return Cli.run(words(more).toArray(String[]::new));
    }

    /** Stops the load that runs, with a savepoint in this folder. */
    Cli stop(Path into, String... more) {
        List<String> words = new ArrayList<>(List.of(
                "submit",
                "--cluster",
                address,
                "--savepoint",
                into.toAbsolutePath().toString()));
        words.addAll(List.of(more));
        return Cli.run(words.toArray(String[]::new));
    }

    /** What the pattern's group matches. */
    static String find(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }
}
