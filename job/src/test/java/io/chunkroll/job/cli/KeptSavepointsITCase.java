package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.chunkroll.server.TestDatabase;
import io.chunkroll.testing.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Loads go on with this version of the jar from savepoints that released versions made: what was not committed then is loaded now, and
 * nothing else. With {@code -Dchunkroll.keep-savepoints=VERSION} the savepoints of this version are made first and kept.
 */
@Timeout(180)
final class KeptSavepointsITCase extends SubmitScenario {
    private static final Path KEPT = Path.of("src", "test", "resources", "savepoints");
    private static final String COMMITTED = "committed.txt";
    private static final String FIGURES = "SELECT count(*) || ' rows, sum ' || sum(usage_user::numeric) FROM ";
    private static final List<String> GUARANTEES = List.of("at-least-once", "exactly-once");
    private static final Pattern SAVEPOINT = Pattern.compile("Savepoint: (?:file:)?(\\S+)");

    @RegisterExtension
    static final MiniClusterExtension CLUSTER = TestCluster.ofSlots(
            2, () -> new Configuration().set(MetricOptions.METRIC_FETCHER_UPDATE_INTERVAL, Duration.ofSeconds(1)));

    /** A folder for each version and guarantee. */
    static List<Path> savepoints() throws IOException {
        TreeSet<Path> all = new TreeSet<>();
        try (Stream<Path> files = Files.walk(KEPT)) {
            files.filter(file -> file.endsWith("_metadata"))
                    .map(Path::getParent)
                    .forEach(all::add);
        }
        String version = System.getProperty("chunkroll.keep-savepoints", "");
        if (!version.isEmpty()) {
            GUARANTEES.forEach(guarantee -> all.add(KEPT.resolve(version).resolve(guarantee)));
        }
        return List.copyOf(all);
    }

    private void load(String guarantee, String... more) {
        List<String> words = new ArrayList<>(List.of(
                "--sink.guarantee",
                guarantee,
                "--source.rows",
                "20000",
                "--source.devices",
                "100",
                "--job.parallelism",
                "2",
                "--job.checkpoint-interval",
                "500 ms"));
        words.addAll(List.of(more));
        Cli submitted = submit(words.toArray(String[]::new));
        assertThat(submitted.exit()).as(submitted.all()).isZero();
    }

    /**
     * So slowly that there are no rows between the last checkpoint and the savepoint, mostly: else a transaction is still to be committed,
     * which no other server knows of.
     */
    private void keep(Path kept, String guarantee) throws Exception {
        load(guarantee, "--source.rate", "1", "--detach");
        await().atMost(Duration.ofMinutes(1)).until(() -> database.count("SELECT count(*) FROM cpu") > 3);
        Path saved = Path.of(find(SAVEPOINT, stop(folder.resolve("saved")).all()));
        Files.createDirectories(kept);
        try (Stream<Path> files = Files.list(saved)) {
            for (Path file : files.toList()) {
                Files.copy(file, kept.resolve(file.getFileName().toString()));
            }
        }
        Files.writeString(kept.resolve(COMMITTED), database.one(FIGURES + "cpu") + "\n");
        database.close();
        database = TestDatabase.create();
    }

    @ParameterizedTest
    @MethodSource("savepoints")
    void aLoadGoesOn(Path kept) throws Exception {
        String guarantee = kept.getFileName().toString();
        if (Files.notExists(kept)) {
            keep(kept, guarantee);
        }

        load(
                guarantee,
                "--from",
                kept.toAbsolutePath().toString(),
                "--run.dir",
                folder.resolve("run").toString());

        load(
                guarantee,
                "--sink.table",
                "whole",
                "--run.dir",
                folder.resolve("whole").toString());
        assertThat(database.one(FIGURES + "(SELECT * FROM whole EXCEPT SELECT * FROM cpu) rest"))
                .isEqualTo(Files.readString(kept.resolve(COMMITTED)).strip());
        assertThat(database.count("SELECT count(*) FROM (SELECT * FROM cpu EXCEPT SELECT * FROM whole) others"))
                .isZero();
        assertThat(database.count("SELECT count(*) - count(DISTINCT (time, hostname)) FROM cpu"))
                .isZero();
        assertThat(database.count("SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database()"))
                .isZero();
    }

    @Test
    void theFirstVersionsAreKept() throws IOException {
        assertThat(savepoints())
                .contains(KEPT.resolve("0.1.0").resolve("at-least-once"))
                .contains(KEPT.resolve("0.1.0").resolve("exactly-once"));
    }
}
