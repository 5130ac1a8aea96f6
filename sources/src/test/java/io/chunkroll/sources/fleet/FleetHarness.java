package io.chunkroll.sources.fleet;

import io.chunkroll.rows.Tuple;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;

/** An enumerator and its readers, driven by hand: calls between them wait in a queue until they are delivered. */
final class FleetHarness implements SplitEnumeratorContext<FleetSplit> {
    /** What a checkpoint would hold. */
    record Checkpoint(byte[] pending, List<byte[]> splits) {}

    final FleetEnumerator enumerator;
    final List<HandDrivenReader> readers = new ArrayList<>();
    private final Map<Integer, ReaderInfo> registered = new HashMap<>();
    private final Queue<Runnable> undelivered = new ArrayDeque<>();
    private final int parallelism;

    private FleetHarness(FleetOptions fleet, int parallelism, Checkpoint checkpoint) throws IOException {
        this.parallelism = parallelism;
        for (int i = 0; i < parallelism; i++) {
            int index = i;
            readers.add(new HandDrivenReader(
                    index, fleet, event -> undelivered.add(() -> enumerator().handleSourceEvent(index, event))));
        }
        if (checkpoint == null) {
            enumerator = FleetEnumerator.start(this, fleet);
            return;
        }
        enumerator = FleetEnumerator.restore(
                this, new PendingSplitsSerializer().deserialize(FleetSplitSerializer.VERSION, checkpoint.pending()));
        for (int i = 0; i < checkpoint.splits().size(); i++) {
            readers.get(i % parallelism)
                    .reader
                    .addSplits(List.of(split(checkpoint.splits().get(i))));
        }
    }

    static FleetHarness start(FleetOptions fleet, int parallelism) throws IOException {
        return new FleetHarness(fleet, parallelism, null);
    }

    /** Splits are dealt out to the readers in turn, as Flink does it with an operator's list state. */
    static FleetHarness restore(FleetOptions fleet, int parallelism, Checkpoint checkpoint) throws IOException {
        return new FleetHarness(fleet, parallelism, checkpoint);
    }

    private FleetEnumerator enumerator() {
        return enumerator;
    }

    FleetHarness registerAll() {
        for (int i = 0; i < parallelism; i++) {
            register(i);
        }
        return this;
    }

    void register(int reader) {
        registered.put(reader, new ReaderInfo(reader, "localhost"));
        enumerator.addReader(reader);
        deliver();
    }

    void deliver() {
        while (!undelivered.isEmpty()) {
            undelivered.remove().run();
        }
    }

    /** Polls one reader as often as it has something, at most so often; true once it has ended. */
    boolean poll(int reader, int times) {
        for (int i = 0; i < times; i++) {
            InputStatus status = readers.get(reader).poll();
            deliver();
            if (status == InputStatus.END_OF_INPUT) {
                return true;
            }
            if (!readers.get(reader).reader.isAvailable().isDone()) {
                return false;
            }
        }
        return false;
    }

    /** Polls all readers in turn until each has ended; fails if none moves. */
    void runToEnd() {
        int ended = 0;
        for (int round = 0; ended < parallelism; round++) {
            if (round > 1_000_000) {
                throw new AssertionError("The readers stand still");
            }
            ended = 0;
            for (int i = 0; i < parallelism; i++) {
                ended += poll(i, 1) ? 1 : 0;
            }
        }
    }

    Checkpoint checkpoint() {
        List<byte[]> splits = new ArrayList<>();
        for (HandDrivenReader reader : readers) {
            reader.reader.snapshotState(1).forEach(split -> splits.add(new FleetSplitSerializer().serialize(split)));
        }
        return new Checkpoint(new PendingSplitsSerializer().serialize(enumerator.snapshotState(1)), splits);
    }

    /** The rows of all readers, each reader's in order. */
    List<Tuple> rows() {
        return readers.stream().flatMap(reader -> reader.rows.stream()).toList();
    }

    private static FleetSplit split(byte[] bytes) {
        try {
            return new FleetSplitSerializer().deserialize(FleetSplitSerializer.VERSION, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public int currentParallelism() {
        return parallelism;
    }

    @Override
    public Map<Integer, ReaderInfo> registeredReaders() {
        return Map.copyOf(registered);
    }

    @Override
    public void assignSplits(SplitsAssignment<FleetSplit> assignment) {
        assignment.assignment().forEach((reader, splits) -> {
            List<FleetSplit> copies = splits.stream()
                    .map(split -> split(new FleetSplitSerializer().serialize(split)))
                    .toList();
            undelivered.add(() -> readers.get(reader).reader.addSplits(copies));
        });
    }

    @Override
    public void signalNoMoreSplits(int reader) {
        undelivered.add(() -> readers.get(reader).reader.notifyNoMoreSplits());
    }

    @Override
    public void sendEventToSourceReader(int reader, SourceEvent event) {
        undelivered.add(() -> readers.get(reader).receive(event));
    }

    @Override
    public SplitEnumeratorMetricGroup metricGroup() {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler, long delay, long period) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void runInCoordinatorThread(Runnable runnable) {
        throw new UnsupportedOperationException();
    }
}
