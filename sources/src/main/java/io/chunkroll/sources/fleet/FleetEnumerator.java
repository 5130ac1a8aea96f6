package io.chunkroll.sources.fleet;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;

/**
 * Divides a fleet among the readers and keeps them together.
 *
 * <p>A reader gets all its splits when it registers and hears at once that there are no more. From then on the two talk about steps:
 * the reader reports, the enumerator tells all others when the slowest has moved. A reader that is done says so and waits for one last
 * answer, for an event that reaches a task after its end would fail the job.
 */
final class FleetEnumerator implements SplitEnumerator<FleetSplit, PendingSplits> {
    /** More splits than readers, so that a restart with a somewhat higher parallelism still finds work for each. */
    private static final int SPLITS_PER_READER = 4;

    private final SplitEnumeratorContext<FleetSplit> context;
    private final List<FleetSplit> pending;
    private final Alignment alignment = new Alignment();

    private FleetEnumerator(SplitEnumeratorContext<FleetSplit> context, Collection<FleetSplit> pending) {
        this.context = context;
        this.pending = new ArrayList<>(pending);
    }

    static FleetEnumerator start(SplitEnumeratorContext<FleetSplit> context, FleetOptions fleet) {
        return new FleetEnumerator(context, divide(fleet, context.currentParallelism() * SPLITS_PER_READER));
    }

    static FleetEnumerator restore(SplitEnumeratorContext<FleetSplit> context, PendingSplits state) {
        return new FleetEnumerator(context, state.splits());
    }

    /** Contiguous ranges of devices that differ by one device at most. */
    private static List<FleetSplit> divide(FleetOptions fleet, int parts) {
        int count = Math.min(parts, fleet.devices());
        List<FleetSplit> splits = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int first = (int) ((long) fleet.devices() * i / count);
            int end = (int) ((long) fleet.devices() * (i + 1) / count);
            splits.add(new FleetSplit(fleet.fingerprint(), i, first, end - first, 0, 0));
        }
        return splits;
    }

    @Override
    public void start() {}

    @Override
    public void addReader(int reader) {
        Iterator<FleetSplit> splits = pending.iterator();
        while (splits.hasNext()) {
            FleetSplit split = splits.next();
            if (split.index() % context.currentParallelism() == reader) {
                context.assignSplit(split, reader);
                splits.remove();
            }
        }
        context.signalNoMoreSplits(reader);
    }

    @Override
    public void addSplitsBack(List<FleetSplit> splits, int reader) {
        pending.addAll(splits);
    }

    @Override
    public void handleSplitRequest(int reader, String host) {
        // Readers do not ask: they get their splits when they register.
    }

    @Override
    public void handleSourceEvent(int reader, SourceEvent event) {
        ReaderProgress progress = (ReaderProgress) event;
        boolean moved = alignment.note(reader, progress.step());
        SlowestStep slowest = new SlowestStep(alignment.slowest());
        if (progress.step() == ReaderProgress.DONE) {
            context.sendEventToSourceReader(reader, new SlowestStep(ReaderProgress.DONE));
        } else if (moved || progress.wantsAnswer()) {
            context.sendEventToSourceReader(reader, slowest);
        }
        if (moved) {
            context.registeredReaders().keySet().stream()
                    .filter(other -> other != reader && alignment.isUnderway(other))
                    .forEach(other -> context.sendEventToSourceReader(other, slowest));
        }
    }

    @Override
    public PendingSplits snapshotState(long checkpointId) {
        return new PendingSplits(pending);
    }

    @Override
    public void close() {}
}
