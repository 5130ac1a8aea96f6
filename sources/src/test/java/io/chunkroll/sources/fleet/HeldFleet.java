package io.chunkroll.sources.fleet;

import io.chunkroll.rows.Tuple;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * An endless fleet whose devices stop after a number of steps until the test lets them go on: their readers are told that the slowest is
 * so far behind.
 */
final class HeldFleet implements Source<Tuple, FleetSplit, PendingSplits> {
    private static final long serialVersionUID = 1L;

    private static volatile Hold hold = new Hold(0, new CompletableFuture<>());

    /** How many steps each device may make, and what is completed when that changes. */
    private record Hold(long steps, CompletableFuture<Void> moved) {}

    private final FleetOptions fleet;
    private final FleetSource source;

    HeldFleet(FleetOptions fleet) {
        this.fleet = fleet;
        source = new FleetSource(fleet);
    }

    static void holdAfter(long steps) {
        Hold before = hold;
        hold = new Hold(steps, new CompletableFuture<>());
        before.moved().complete(null);
    }

    @Override
    public Boundedness getBoundedness() {
        return source.getBoundedness();
    }

    @Override
    public SourceReader<Tuple, FleetSplit> createReader(SourceReaderContext context) {
        return new Reader(source.createReader(context), Alignment.lead(fleet.devices()));
    }

    @Override
    public SplitEnumerator<FleetSplit, PendingSplits> createEnumerator(SplitEnumeratorContext<FleetSplit> context) {
        return source.createEnumerator(context);
    }

    @Override
    public SplitEnumerator<FleetSplit, PendingSplits> restoreEnumerator(
            SplitEnumeratorContext<FleetSplit> context, PendingSplits checkpoint) {
        return source.restoreEnumerator(context, checkpoint);
    }

    @Override
    public SimpleVersionedSerializer<FleetSplit> getSplitSerializer() {
        return source.getSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<PendingSplits> getEnumeratorCheckpointSerializer() {
        return source.getEnumeratorCheckpointSerializer();
    }

    private static final class Reader implements SourceReader<Tuple, FleetSplit> {
        private final SourceReader<Tuple, FleetSplit> reader;
        private final long lead;
        private Hold told = hold;
        private SlowestStep heard;

        Reader(SourceReader<Tuple, FleetSplit> reader, long lead) {
            this.reader = reader;
            this.lead = lead;
        }

        @Override
        public void handleSourceEvents(SourceEvent event) {
            heard = (SlowestStep) event;
            tell();
        }

        private void tell() {
            told = hold;
            if (heard != null) {
                long lastStep = told.steps() - 1;
                reader.handleSourceEvents(new SlowestStep(Math.min(heard.step(), lastStep - lead)));
            }
        }

        @Override
        public InputStatus pollNext(ReaderOutput<Tuple> output) throws Exception {
            if (told.moved().isDone()) {
                tell();
            }
            return reader.pollNext(output);
        }

        @Override
        public CompletableFuture<Void> isAvailable() {
            return CompletableFuture.anyOf(reader.isAvailable(), told.moved()).thenAccept(moved -> {});
        }

        @Override
        public void start() {
            reader.start();
        }

        @Override
        public List<FleetSplit> snapshotState(long checkpointId) {
            return reader.snapshotState(checkpointId);
        }

        @Override
        public void addSplits(List<FleetSplit> splits) {
            reader.addSplits(splits);
        }

        @Override
        public void notifyNoMoreSplits() {
            reader.notifyNoMoreSplits();
        }

        @Override
        public void close() throws Exception {
            reader.close();
        }
    }
}
