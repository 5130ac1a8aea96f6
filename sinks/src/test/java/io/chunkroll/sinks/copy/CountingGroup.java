package io.chunkroll.sinks.copy;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.groups.OperatorIOMetricGroup;
import org.apache.flink.metrics.groups.SinkWriterMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;

/** Keeps the counters of one writer, by name, for a test to read. */
final class CountingGroup extends UnregisteredMetricsGroup implements SinkWriterMetricGroup {
    private final Map<String, Counter> counters = new HashMap<>();

    long count(String name) {
        return counter(name).getCount();
    }

    @Override
    public Counter counter(String name) {
        return counters.computeIfAbsent(name, super::counter);
    }

    @Override
    public OperatorIOMetricGroup getIOMetricGroup() {
        return UnregisteredMetricsGroup.createOperatorIOMetricGroup();
    }

    @Override
    public Counter getNumRecordsOutErrorsCounter() {
        return counter("numRecordsOutErrors");
    }

    @Override
    public Counter getNumRecordsSendErrorsCounter() {
        return counter("numRecordsSendErrors");
    }

    @Override
    public Counter getNumRecordsSendCounter() {
        return counter("numRecordsSend");
    }

    @Override
    public Counter getNumBytesSendCounter() {
        return counter("numBytesSend");
    }

    @Override
    public void setCurrentSendTimeGauge(Gauge<Long> gauge) {}
}
