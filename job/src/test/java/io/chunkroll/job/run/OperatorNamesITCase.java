package io.chunkroll.job.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.job.examples.EvenCustomers;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators are called in Flink's pages, and the uids by which their state is found again after an upgrade. */
final class OperatorNamesITCase {
    private TestDatabase database;

    @BeforeEach
    void open() {
        database = TestDatabase.create();
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** The uids by name. */
    private SortedMap<String, String> operators(Map<String, String> texts) {
        Map<String, String> all =
                new TreeMap<>(Map.of("sink.url", database.url(), "sink.user", database.user(), "job.parallelism", "2"));
        all.putAll(texts);
        Settings settings = Settings.of(all);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment();
        boolean discard = settings.sink().kind() == Settings.SinkKind.DISCARD;
        Load load = discard
                ? Load.discarding(settings)
                : Load.into(settings, settings.sink().server().orElseThrow());
        Pipeline.build(env, load, settings.sink().server(), Optional.empty());
        SortedMap<String, String> operators = new TreeMap<>();
        for (StreamNode node : env.getStreamGraph().getStreamNodes()) {
            operators.put(node.getOperatorName(), String.valueOf(node.getTransformationUID()));
        }
        return operators;
    }

    private static SortedMap<String, String> sourceAnd(Map<String, String> others) {
        SortedMap<String, String> all = new TreeMap<>(others);
        all.put("Source: source", "source");
        return all;
    }

    @Test
    void atLeastOnce() {
        Map<String, String> writer = Map.of("sink: Writer", "sink");

        assertThat(operators(Map.of())).isEqualTo(sourceAnd(writer));
        assertThat(operators(Map.of("sink.kind", "jdbc"))).isEqualTo(sourceAnd(writer));
        assertThat(operators(Map.of("sink.kind", "discard"))).isEqualTo(sourceAnd(writer));
        assertThat(operators(Map.of("sink.layout", "hypertable", "sink.table", "other")))
                .isEqualTo(sourceAnd(writer));
    }

    @Test
    void exactlyOnce() {
        assertThat(operators(Map.of("sink.guarantee", "exactly-once")))
                .isEqualTo(sourceAnd(Map.of("sink: Writer", "sink", "sink: Committer", "Sink Committer: sink")));
    }

    @Test
    void filesOfBothKinds(@TempDir Path folder) throws IOException {
        Map<String, String> writer = Map.of("sink: Writer", "sink");
        Path csv = Files.writeString(folder.resolve("readings.csv"), "time,value\n2016-01-01 00:00:00,1\n");
        database.execute("CREATE TABLE readings (time timestamptz, value float8)");
        assertThat(operators(Map.of("source.kind", "csv", "source.path", csv.toString(), "sink.table", "readings")))
                .isEqualTo(sourceAnd(writer));

        Path tsbs = Files.writeString(
                folder.resolve("cpu.tsbs"),
                "tags,hostname string\ncpu,usage_user\n\ntags,hostname=h\ncpu,1451606400000000000,1\n");
        Map<String, String> files =
                Map.of("source.kind", "tsbs", "source.path", tsbs.toString(), "sink.table", "of_tsbs");
        Map<String, String> columns = new TreeMap<>(files);
        columns.put("source.tags", "columns");
        columns.put("sink.table", "of_columns");
        assertThat(operators(files)).isEqualTo(sourceAnd(Map.of("tags", "tags", "sink: Writer", "sink")));
        assertThat(operators(columns)).isEqualTo(sourceAnd(writer));
    }

    @Test
    void theUsersFunction() {
        assertThat(operators(Map.of("job.map", EvenCustomers.class.getName())))
                .isEqualTo(sourceAnd(Map.of("map", "map", "sink: Writer", "sink")));
    }
}
