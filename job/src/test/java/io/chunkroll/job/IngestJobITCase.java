package io.chunkroll.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.server.TestDatabase;
import io.chunkroll.testing.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The job's main class in a cluster that somebody else started. */
@Timeout(120)
final class IngestJobITCase {
    @RegisterExtension
    private static final MiniClusterExtension CLUSTER = TestCluster.ofSlots(2);

    @TempDir
    Path folder;

    private TestDatabase database;

    @BeforeEach
    void open() {
        database = TestDatabase.create();
        database.execute("CREATE TABLE readings (id int, value real CHECK (value > 0))");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private List<String> rejects() throws Exception {
        try (Stream<Path> files = Files.list(folder.resolve("rejects"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** The folder holds what another load keeps hidden, and what it has published. */
    @ParameterizedTest
    @ValueSource(strings = {"at-least-once", "exactly-once"})
    void rejectsGoToTheFolderThatWasGiven(String guarantee) throws Exception {
        Path rows = Files.writeString(folder.resolve("rows.csv"), "1,1\n2,-1\n3,x\n4,1\n");
        Path shared = Files.createDirectory(folder.resolve("rejects"));
        List<String> others = List.of(".rejects-other-0-1-ab", "rejects-other-0-1-ab-1000.jsonl");
        for (String other : others) {
            Files.createFile(shared.resolve(other));
        }
        Files.createFile(shared.resolve(".rejects-readings-1-1-ab"));

        IngestJob.main(new String[] {
            "--sink.url",
            database.url(),
            "--sink.user",
            database.user(),
            "--sink.table",
            "readings",
            "--sink.guarantee",
            guarantee,
            "--source.kind",
            "csv",
            "--source.path",
            rows.toString(),
            "--source.on-bad-row",
            "reject",
            "--source.max-bad-rows",
            "2",
            "--run.rejects-dir",
            shared.toUri().toString(),
            "--job.parallelism",
            "1"
        });

        assertThat(database.count("SELECT count(*) FROM readings")).isEqualTo(2);
        List<String> own = new ArrayList<>(rejects());
        own.removeAll(others);
        // One file, or two if a checkpoint comes between the two rows.
        assertThat(own).allMatch(name -> name.matches("rejects-readings-0-\\d+-[0-9a-f]{8}-\\d\\.jsonl"));
        List<String> lines = new ArrayList<>();
        for (String name : own) {
            lines.addAll(Files.readAllLines(shared.resolve(name)));
        }
        assertThat(lines).hasSize(2).anyMatch(line -> line.contains("3,x")).anyMatch(line -> line.contains("2,-1"));
        assertThat(rejects()).containsAll(others);
    }
}
