package io.chunkroll.sources.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.chunkroll.rows.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.UserCodeClassLoader;

/** A reader whose clock, timer and calls are the test's. It keeps copies of its rows. */
final class HandDrivenReader implements SourceReaderContext, ReaderOutput<Tuple> {
    final FleetReader reader;
    final List<Tuple> rows = new ArrayList<>();
    /** Moved by the test. */
    long nanos;
    /** What the reader asked its timer for last. */
    long timerNanos;

    private final int index;
    private final Consumer<SourceEvent> coordinator;
    private boolean ended;

    HandDrivenReader(int index, FleetOptions fleet, Consumer<SourceEvent> coordinator) {
        this.index = index;
        this.coordinator = coordinator;
        reader = new FleetReader(this, fleet, fleet.dataset().table().keyColumn(), () -> nanos, this::timer);
    }

    private CompletableFuture<Void> timer(long delay) {
        timerNanos = delay;
        return new CompletableFuture<>();
    }

    /** Polls once, and checks that nothing available goes with a future that is not complete, and the reverse. */
    InputStatus poll() {
        InputStatus status = reader.pollNext(this);
        assertThat(reader.isAvailable().isDone()).isEqualTo(status != InputStatus.NOTHING_AVAILABLE);
        ended = status == InputStatus.END_OF_INPUT;
        return status;
    }

    void receive(SourceEvent event) {
        assertThat(ended).as("An event reaches reader %d after its end", index).isFalse();
        reader.handleSourceEvents(event);
        assertThat(reader.isAvailable()).isDone();
    }

    @Override
    public void collect(Tuple tuple) {
        rows.add(tuple.copy());
    }

    @Override
    public void collect(Tuple tuple, long timestamp) {
        collect(tuple);
    }

    @Override
    public void emitWatermark(Watermark watermark) {}

    @Override
    public void markIdle() {}

    @Override
    public void markActive() {}

    @Override
    public SourceOutput<Tuple> createOutputForSplit(String splitId) {
        return this;
    }

    @Override
    public void releaseOutputForSplit(String splitId) {}

    @Override
    public int getIndexOfSubtask() {
        return index;
    }

    @Override
    public void sendSourceEventToCoordinator(SourceEvent event) {
        coordinator.accept(event);
    }

    @Override
    public void sendSplitRequest() {
        throw new UnsupportedOperationException();
    }

    @Override
    public SourceReaderMetricGroup metricGroup() {
        return UnregisteredMetricsGroup.createSourceReaderMetricGroup();
    }

    @Override
    public Configuration getConfiguration() {
        return new Configuration();
    }

    @Override
    public String getLocalHostName() {
        return "localhost";
    }

    @Override
    public UserCodeClassLoader getUserCodeClassLoader() {
        throw new UnsupportedOperationException();
    }
}
