package io.chunkroll.sinks.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.sinks.Fleet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a batch goes, and with how many rows; a sender that can be held stands for the server. */
@Timeout(60)
class CopyWriterTest {
    private static final Duration AGE = Duration.ofSeconds(1);

    private final List<Integer> sent = new CopyOnWriteArrayList<>();
    private final Semaphore mayGo = new Semaphore(1_000);
    private final TestProcessingTimeService timers = new TestProcessingTimeService();
    private final TupleWriter tuples = new TupleWriter(Fleet.COLUMNS);
    private CopyWriter<Tuple> writer;

    @AfterEach
    void close() {
        writer.close();
    }

    private void start(BatchLimits limits) {
        Sender sender = new Sender() {
            @Override
            public Loaded send(Batch batch) throws InterruptedException {
                mayGo.acquire();
                sent.add(batch.rows());
                return null;
            }

            @Override
            public void ended() {}

            @Override
            public void close() {}
        };
        writer = new CopyWriter<>(
                new CopyWriter.RowEncoding<>((tuple, ignored) -> tuple, tuples), limits, sender, timers, null);
    }

    private void write(int from, int to, int devices) throws Exception {
        for (int n = from; n < to; n++) {
            tuples.begin();
            tuples.putTimestamp(n / devices);
            tuples.putText("host_" + n % devices);
            tuples.putInt8(n);
            tuples.putFloat8(n);
            writer.write(tuples.end(), null);
        }
    }

    @Test
    void aBatchHasTenRowsOfEachDevice() throws Exception {
        start(BatchLimits.following(Long.MAX_VALUE, AGE));
        write(0, 130_000, 6_000);
        writer.flush(true);
        assertThat(sent).containsExactly(60_000, 60_000, 10_000);
    }

    @Test
    void aSmallFleetHasOrdinaryBatches() throws Exception {
        start(BatchLimits.following(Long.MAX_VALUE, AGE));
        write(0, 120_000, 10);
        writer.flush(true);
        assertThat(sent).containsExactly(50_000, 50_000, 20_000);
    }

    @Test
    void bytesBoundALargeFleet() throws Exception {
        start(BatchLimits.following(1_000_000, AGE));
        write(0, 100_000, 100_000);
        writer.flush(true);
        assertThat(sent)
                .hasSizeGreaterThan(4)
                .allSatisfy(rows -> assertThat(rows).isLessThan(25_000));
        assertThat(sent.stream().mapToInt(Integer::intValue).sum()).isEqualTo(100_000);
    }

    @Test
    void anOldBatchGoesIncomplete() throws Exception {
        start(BatchLimits.following(Long.MAX_VALUE, AGE));
        write(0, 100, 10);
        timers.advance(999);
        assertThat(sent).isEmpty();
        timers.advance(1);
        await().until(() -> sent.equals(List.of(100)));
    }

    /** The writer goes on filling it meanwhile, instead of waiting. */
    @Test
    void anOldBatchWaitsForTheOneThatIsBeingSent() throws Exception {
        start(new BatchLimits(1_000, Long.MAX_VALUE, AGE));
        mayGo.drainPermits();
        write(0, 1_000, 10);
        write(1_000, 1_100, 10);
        timers.advance(1_000);
        write(1_100, 1_200, 10);
        timers.advance(1_000);
        assertThat(sent).isEmpty();
        mayGo.release(10);
        await().until(() -> {
            timers.advance(20);
            return sent.equals(List.of(1_000, 200));
        });
    }
}
