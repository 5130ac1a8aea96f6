package io.chunkroll.sources.csv;

import static io.chunkroll.sources.csv.CsvReading.TABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.testing.TestCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Files read by a job of two readers. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class CsvSourceITCase {
    private static final int ROWS = 20_000;
    private static final int PIECE_BYTES = 4_000;

    @RegisterExtension
    private static final MiniClusterExtension CLUSTER = TestCluster.ofSlots(2);

    @TempDir
    private Path folder;

    @Test
    void readsEveryRowOnce() throws Exception {
        CsvOptions options = CsvOptions.of(file().toString());

        assertThat(run(options, new Show(TABLE), 0)).isEqualTo(expected());
    }

    /** Readers stand in mid-file until a checkpoint is complete; the first row after it fails. */
    @Test
    void readsEveryRowOnceInSpiteOfAFailure() throws Exception {
        Path file = file();
        CsvOptions options = CsvOptions.of(GatedFileSystem.SCHEME + "://" + file);
        FailsAfterCheckpoint show = new FailsAfterCheckpoint(new Show(TABLE));
        FailsAfterCheckpoint.FAILED.set(false);

        List<String> rows = run(options, show, file.toFile().length() / 2);

        assertThat(FailsAfterCheckpoint.FAILED).isTrue();
        assertThat(rows).isEqualTo(expected());
    }

    @Test
    void aBadRowEndsTheJobWithoutARestart() {
        Path file = CsvReading.write(folder.resolve("bad.csv"), "id,name,note\n1,a,b\nx,c,d\n");

        assertThatThrownBy(() -> run(CsvOptions.of(file.toString()), new Show(TABLE), 0))
                .hasStackTraceContaining("Bad row in " + file + " at byte 19, line 3, column id")
                .hasStackTraceContaining("The failure is not recoverable");
    }

    /** The rows, sorted. */
    private static List<String> run(CsvOptions options, MapFunction<Tuple, String> show, long gate) throws Exception {
        CsvSource source = CsvSource.plan(options, TABLE, PIECE_BYTES);
        GatedFileSystem.closeGateAt(gate);
        StreamExecutionEnvironment job = StreamExecutionEnvironment.getExecutionEnvironment(new Configuration()
                .set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay")
                .set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1)
                .set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ZERO));
        job.setParallelism(2);
        job.enableCheckpointing(20);
        job.getConfig().enableObjectReuse();
        List<String> rows = new ArrayList<>();
        try (CloseableIterator<String> results = job.fromSource(
                        source.source(), WatermarkStrategy.noWatermarks(), "csv")
                .map(show)
                .executeAndCollect()) {
            results.forEachRemaining(rows::add);
        }
        rows.sort(null);
        return rows;
    }

    private Path file() {
        StringBuilder text = new StringBuilder("id,name,note\n");
        for (int i = 0; i < ROWS; i++) {
            text.append(i).append(",n").append(i % 100).append(",\n");
        }
        return CsvReading.write(folder.resolve("rows.csv"), text.toString());
    }

    private static List<String> expected() {
        return IntStream.range(0, ROWS)
                .mapToObj(i -> i + "|n" + i % 100 + "|NULL")
                .sorted()
                .toList();
    }

    private record Show(TableDescription table) implements MapFunction<Tuple, String> {
        @Override
        public String map(Tuple tuple) {
            return CsvReading.show(tuple, table);
        }
    }

    /** Opens the gate when a checkpoint is complete, and fails at the next row, once. */
    private record FailsAfterCheckpoint(Show show) implements MapFunction<Tuple, String>, CheckpointListener {
        static final AtomicBoolean FAILED = new AtomicBoolean();

        @Override
        public String map(Tuple tuple) {
            if (GatedFileSystem.isGateOpen() && FAILED.compareAndSet(false, true)) {
                throw new IllegalStateException("failed on purpose");
            }
            return show.map(tuple);
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            GatedFileSystem.openGate();
        }
    }
}
