package io.chunkroll.sources.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chunkroll.rows.Tuple;
import io.chunkroll.sources.fleet.FleetHarness.Checkpoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.io.InputStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FleetReaderTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 9})
    void theRowsAreTheSameAtAnyParallelism(int parallelism) throws IOException {
        FleetOptions fleet = Fleets.cpu(2_345, 7);

        FleetHarness harness = FleetHarness.start(fleet, parallelism).registerAll();
        harness.runToEnd();

        assertThat(Rows.sorted(harness.rows())).isEqualTo(Rows.sorted(Rows.all(fleet)));
        harness.readers.forEach(reader -> assertThat(reader.rows)
                .allSatisfy(row -> assertThat(row.isRejected()).isFalse()));
        assertThatEveryHostIsInOrder(harness);
    }

    private static void assertThatEveryHostIsInOrder(FleetHarness harness) {
        for (HandDrivenReader reader : harness.readers) {
            Map<String, Long> last = new HashMap<>();
            for (Tuple row : reader.rows) {
                Long before = last.put(Rows.host(row), row.time());
                assertThat(before == null || before < row.time()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 5", "3, 5", "5, 5", "12, 5", "13, 5", "14, 1"})
    void theLastStepMayBePartial(long rows, int devices) throws IOException {
        FleetHarness harness = FleetHarness.start(Fleets.cpu(rows, devices), 2).registerAll();
        harness.runToEnd();

        assertThat(harness.rows()).hasSize((int) rows);
        assertThat(Rows.sorted(harness.rows())).isEqualTo(Rows.sorted(Rows.all(Fleets.cpu(rows, devices))));
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "2, 1", "2, 3", "1, 20", "3, 2"})
    void aRestartFromAnyPollGoesOnWhereItWas(int parallelism, int laterParallelism) throws IOException {
        FleetOptions fleet = Fleets.cpu(6_001, 700);
        List<Tuple> expected = Rows.sorted(Rows.all(fleet));
        boolean ended = false;
        for (int polls = 0; !ended; polls++) {
            FleetHarness before = FleetHarness.start(fleet, parallelism).registerAll();
            for (int i = 0; i < polls; i++) {
                before.poll(i % parallelism, 1);
            }
            Checkpoint checkpoint = before.checkpoint();
            ended = checkpoint.splits().isEmpty();

            FleetHarness after =
                    FleetHarness.restore(fleet, laterParallelism, checkpoint).registerAll();
            after.runToEnd();

            List<Tuple> all = new ArrayList<>(before.rows());
            all.addAll(after.rows());
            assertThat(Rows.sorted(all)).isEqualTo(expected);
        }
    }

    @Test
    void aCheckpointBeforeAllReadersAreThereLosesNoSplit() throws IOException {
        FleetOptions fleet = Fleets.cpu(5_000, 40);
        FleetHarness before = FleetHarness.start(fleet, 3);
        before.register(1);
        before.poll(1, 3);
        Checkpoint checkpoint = before.checkpoint();

        FleetHarness after = FleetHarness.restore(fleet, 2, checkpoint).registerAll();
        after.runToEnd();

        List<Tuple> all = new ArrayList<>(before.rows());
        all.addAll(after.rows());
        assertThat(Rows.sorted(all)).isEqualTo(Rows.sorted(Rows.all(fleet)));
    }

    @Test
    void splitsOfAFailedReaderAreGivenOutAgain() throws IOException {
        FleetHarness harness = FleetHarness.start(Fleets.cpu(100, 8), 2).registerAll();
        List<FleetSplit> lost = harness.readers.get(1).reader.snapshotState(1);
        assertThat(lost).hasSize(4);

        harness.enumerator.addSplitsBack(lost, 1);

        assertThat(harness.enumerator.snapshotState(1).splits()).isEqualTo(lost);
        harness.register(1);
        assertThat(harness.enumerator.snapshotState(1).splits()).isEmpty();
        assertThat(harness.readers.get(1).reader.snapshotState(1)).hasSize(8);
    }

    @Test
    void replayIsDoneInPiecesThatEmitNothing() throws IOException {
        FleetOptions fleet = Fleets.cpu(100_000, 10);
        List<byte[]> splits =
                List.of(new FleetSplitSerializer().serialize(new FleetSplit(fleet.fingerprint(), 0, 0, 10, 5_000, 3)));
        byte[] pending = new PendingSplitsSerializer().serialize(new PendingSplits(List.of()));
        FleetHarness harness =
                FleetHarness.restore(fleet, 1, new Checkpoint(pending, splits)).registerAll();
        HandDrivenReader reader = harness.readers.get(0);

        int replays = 0;
        while (reader.rows.isEmpty()) {
            assertThat(reader.poll()).isEqualTo(InputStatus.MORE_AVAILABLE);
            harness.deliver();
            replays++;
        }

        assertThat(replays).isGreaterThanOrEqualTo(50_003 / FleetReader.REPLAY_BATCH);
        assertThat(Rows.sorted(Rows.all(fleet))).contains(reader.rows.get(0));
        assertThat(Rows.step(reader.rows.get(0))).isEqualTo(5_000);
        assertThat(Rows.host(reader.rows.get(0))).isEqualTo("host_3");
    }

    @Test
    void aCheckpointOfAnotherFleetIsRefused() throws IOException {
        Checkpoint checkpoint =
                FleetHarness.start(Fleets.cpu(100, 8), 1).registerAll().checkpoint();

        assertThatThrownBy(() -> FleetHarness.restore(Fleets.cpu(100, 8, 7), 1, checkpoint))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("other settings")
                .hasMessageContaining("source.rate");
    }

    @Test
    void withoutEndItGoesOn() throws IOException {
        FleetHarness harness = FleetHarness.start(Fleets.cpu(0, 3), 1).registerAll();

        // The first call only asks how far the others are.
        assertThat(harness.poll(0, 101)).isFalse();

        assertThat(harness.rows()).hasSize(100 * FleetReader.BATCH);
    }

    @Test
    void aRateIsKeptByTheReadersTogether() throws IOException {
        FleetHarness harness = FleetHarness.start(Fleets.paced(0, 30, 3_000), 2).registerAll();
        long tick = 1_000_000;
        for (long now = 0; now < 2_000 * tick; now += tick) {
            for (int i = 0; i < 2; i++) {
                harness.readers.get(i).nanos = now;
                harness.poll(i, Integer.MAX_VALUE);
            }
        }

        assertThat(harness.rows().size()).isBetween(5_900, 6_000);
        assertThat(harness.readers.get(0).timerNanos).isBetween(1L, 11 * tick);
    }
}
