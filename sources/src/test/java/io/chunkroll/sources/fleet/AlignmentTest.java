package io.chunkroll.sources.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.rows.Tuple;
import io.chunkroll.sources.fleet.FleetHarness.Checkpoint;
import java.io.IOException;
import java.util.List;
import org.apache.flink.core.io.InputStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlignmentTest {
    private static final int DEVICES = 10_000;
    private static final long LEAD = 5;

    @ParameterizedTest
    @CsvSource({"1, 50000, 12500", "4000, 12, 3", "10000, 5, 1", "50000, 1, 1", "10000000, 1, 1"})
    void theLeadIsFiftyThousandRowsButAtLeastAStep(int devices, long lead, long reportEvery) {
        assertThat(Alignment.lead(devices)).isEqualTo(lead);
        assertThat(Alignment.reportEvery(devices)).isEqualTo(reportEvery);
    }

    @Test
    void aReaderWaitsForTheOtherAtTheLeadAndGoesOnWithIt() throws IOException {
        FleetHarness harness =
                FleetHarness.start(Fleets.cpu(100 * DEVICES, DEVICES), 2).registerAll();
        harness.poll(1, 1);
        harness.poll(0, Integer.MAX_VALUE);

        assertThat(lastStep(harness, 0)).isEqualTo(LEAD);
        assertThat(harness.readers.get(0).poll()).isEqualTo(InputStatus.NOTHING_AVAILABLE);

        // A step of its own has the slower reader at 5,000 rows, twenty polls of 256.
        harness.poll(1, 20);
        assertThat(harness.readers.get(0).reader.isAvailable()).isDone();
        harness.poll(0, Integer.MAX_VALUE);
        assertThat(lastStep(harness, 0)).isEqualTo(LEAD + 1);
    }

    @Test
    void nobodyIsEverFurtherAheadThanTheLead() throws IOException {
        FleetHarness harness =
                FleetHarness.start(Fleets.cpu(30 * DEVICES, DEVICES), 3).registerAll();
        boolean[] ended = new boolean[3];
        for (int round = 0; !(ended[0] && ended[1] && ended[2]); round++) {
            // Reader 0 is always asked first and longest, reader 2 least.
            for (int i = 0; i < 3; i++) {
                if (!ended[i]) {
                    ended[i] = harness.poll(i, 40 - 19 * i);
                }
            }
            if (round > 0 && !ended[2]) {
                assertThat(lastStep(harness, 0) - lastStep(harness, 2)).isLessThanOrEqualTo(LEAD);
            }
            assertThat(round).isLessThan(10_000);
        }
        assertThat(harness.rows()).hasSize(30 * DEVICES);
    }

    @Test
    void aReaderWithoutSplitsHoldsNobodyBack() throws IOException {
        FleetHarness harness = FleetHarness.start(Fleets.cpu(200_000, 1), 3).registerAll();
        harness.poll(1, 1);
        harness.poll(2, 1);

        boolean ended = false;
        for (int i = 0; i < 2_000 && !ended; i++) {
            ended = harness.poll(0, 1);
        }

        assertThat(ended).isTrue();
        assertThat(harness.readers.get(0).rows).hasSize(200_000);
        assertThat(harness.poll(1, 1)).isTrue();
        assertThat(harness.poll(2, 1)).isTrue();
    }

    @Test
    void afterARestoreReadersWaitOnlyForThoseBehindThem() throws IOException {
        FleetOptions fleet = Fleets.cpu(40 * DEVICES, DEVICES);
        FleetSplit ahead = new FleetSplit(fleet.fingerprint(), 0, 0, DEVICES / 2, 20, 17);
        FleetSplit behind = new FleetSplit(fleet.fingerprint(), 1, DEVICES / 2, DEVICES / 2, 10, 0);
        FleetHarness harness =
                FleetHarness.restore(fleet, 2, checkpoint(ahead, behind)).registerAll();
        harness.poll(1, 1);

        harness.poll(0, Integer.MAX_VALUE);
        assertThat(harness.readers.get(0).rows).isEmpty();

        harness.runToEnd();
        assertThat(harness.rows()).hasSize((40 - 20) * DEVICES / 2 - 17 + (40 - 10) * DEVICES / 2);
    }

    @Test
    void aReaderThatRestartsAloneIsAnswered() throws IOException {
        FleetHarness harness =
                FleetHarness.start(Fleets.cpu(100 * DEVICES, DEVICES), 2).registerAll();
        harness.poll(1, 1);
        harness.poll(0, Integer.MAX_VALUE);
        List<FleetSplit> splits = harness.readers.get(0).reader.snapshotState(1);

        HandDrivenReader restarted = new HandDrivenReader(
                0, Fleets.cpu(100 * DEVICES, DEVICES), event -> harness.enumerator.handleSourceEvent(0, event));
        harness.readers.set(0, restarted);
        restarted.reader.addSplits(splits);
        harness.register(0);
        while (restarted.poll() == InputStatus.MORE_AVAILABLE) {
            harness.deliver();
        }
        assertThat(restarted.rows).isEmpty();

        harness.deliver();
        harness.poll(1, 20);
        harness.poll(0, Integer.MAX_VALUE);
        assertThat(lastStep(harness, 0)).isEqualTo(LEAD + 1);
    }

    private static Checkpoint checkpoint(FleetSplit... splits) {
        return new Checkpoint(
                new PendingSplitsSerializer().serialize(new PendingSplits(List.of())),
                List.of(splits).stream()
                        .map(new FleetSplitSerializer()::serialize)
                        .toList());
    }

    private static long lastStep(FleetHarness harness, int reader) {
        List<Tuple> rows = harness.readers.get(reader).rows;
        return Rows.step(rows.get(rows.size() - 1));
    }
}
