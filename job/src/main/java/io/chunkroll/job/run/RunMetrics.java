package io.chunkroll.job.run;

import io.chunkroll.sinks.metrics.LatencyHistogram;
import io.chunkroll.sinks.metrics.SinkMetrics;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.runtime.metrics.MetricNames;
import org.apache.flink.runtime.metrics.scope.ScopeFormat;

/**
 * A Flink metric reporter that lets the process of a run read the job's metrics at any moment.
 *
 * <p>Metrics of ended subtasks are kept, with the values they had at their end: so the totals are exact also after the job is finished,
 * and over restarts. Flink's REST interface shows values that are up to an interval old and forgets the last ones of a job that ends;
 * see docs/decisions for why a run does not read its figures there.
 */
public final class RunMetrics implements MetricReporter, JobMetrics {
    /** In the reporter's configuration, the name under which {@link #take} finds it. */
    static final String RUN = "run";

    private static final double NANOS = 1e9;

    private static final Map<String, RunMetrics> BY_RUN = new ConcurrentHashMap<>();

    /** One metric of one subtask. */
    private record Entry(String operator, String subtask, int attempt, String name, Metric metric) {}

    private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();
    private volatile Optional<Gauge<?>> restarts = Optional.empty();

    /** Made by {@link RunMetricsFactory}, once Flink's metrics are set up. */
    static RunMetrics register(String run) {
        return BY_RUN.computeIfAbsent(run, key -> new RunMetrics());
    }

    /** Those of the run with this name, which are then no longer held here. */
    static RunMetrics take(String run) {
        RunMetrics metrics = register(run);
        BY_RUN.remove(run);
        return metrics;
    }

    @Override
    public void open(MetricConfig config) {}

    @Override
    public void close() {}

    @Override
    public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
        Map<String, String> scope = group.getAllVariables();
        String operator = scope.get(ScopeFormat.SCOPE_OPERATOR_NAME);
        if (operator != null) {
            int attempt = Integer.parseInt(scope.get(ScopeFormat.SCOPE_TASK_ATTEMPT_NUM));
            entries.add(new Entry(operator, scope.get(ScopeFormat.SCOPE_TASK_SUBTASK_INDEX), attempt, name, metric));
        } else if (name.equals(MetricNames.NUM_RESTARTS)) {
            restarts = Optional.of((Gauge<?>) metric);
        }
    }

    @Override
    public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
        // Kept on purpose: its last value counts.
    }

    @Override
    public long rowsRead() {
        return sum(
                entry -> entry.operator().startsWith("Source: ") && entry.name().equals("numRecordsOut"));
    }

    @Override
    public long restarts() {
        return restarts.map(gauge -> ((Number) gauge.getValue()).longValue()).orElse(0L);
    }

    @Override
    public long rowsWritten() {
        return latest(SinkMetrics.COMMITTED_ROWS);
    }

    @Override
    public long rowsSkipped() {
        return sum(entry -> entry.name().equals(SinkMetrics.SKIPPED));
    }

    @Override
    public long rowsReplaced() {
        return sum(entry -> entry.name().equals(SinkMetrics.REPLACED));
    }

    @Override
    public long rowsFiltered() {
        return sum(entry -> entry.name().equals(SinkMetrics.FILTERED));
    }

    @Override
    public long bytesWritten() {
        return latest(SinkMetrics.COMMITTED_BYTES);
    }

    @Override
    public List<Long> rowsPerSubtask() {
        SortedMap<Integer, Long> rows = new TreeMap<>();
        latestOf(SinkMetrics.COMMITTED_ROWS)
                .forEach(entry ->
                        rows.merge(Integer.valueOf(entry.subtask()), ((Counter) entry.metric()).getCount(), Long::sum));
        return List.copyOf(rows.values());
    }

    private long latest(String name) {
        return latestOf(name).stream()
                .mapToLong(entry -> ((Counter) entry.metric()).getCount())
                .sum();
    }

    /** A sink that goes on from a checkpoint begins with the count of that: what earlier attempts counted is in it. */
    private Collection<Entry> latestOf(String name) {
        Map<String, Entry> latest = new HashMap<>();
        entries.stream()
                .filter(entry -> isSink(entry) && entry.name().equals(name))
                .forEach(entry -> latest.merge(
                        entry.operator() + entry.subtask(),
                        entry,
                        (one, other) -> one.attempt() > other.attempt() ? one : other));
        return latest.values();
    }

    @Override
    public long flushes() {
        return sum(entry -> entry.name().equals(SinkMetrics.FLUSHES));
    }

    @Override
    public long retries() {
        return sum(entry -> entry.name().equals(SinkMetrics.RETRIES));
    }

    @Override
    public long lastCommitMillis() {
        return entries.stream()
                .filter(entry -> entry.name().equals(SinkMetrics.LAST_COMMIT_TIME))
                .mapToLong(entry -> ((Number) ((Gauge<?>) entry.metric()).getValue()).longValue())
                .max()
                .orElse(0);
    }

    @Override
    public Histogram flushLatency() {
        Histogram all = new LatencyHistogram().snapshot();
        entries.stream()
                .map(Entry::metric)
                .filter(LatencyHistogram.class::isInstance)
                .forEach(metric -> all.add(((LatencyHistogram) metric).snapshot()));
        return all;
    }

    @Override
    public OptionalDouble clientCpuSeconds() {
        var os = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return OptionalDouble.of(os.getProcessCpuTime() / NANOS);
    }

    private static boolean isSink(Entry entry) {
        return entry.operator().startsWith(Pipeline.SINK + ": ");
    }

    private long sum(Predicate<Entry> wanted) {
        ToLongFunction<Entry> count = entry -> ((Counter) entry.metric()).getCount();
        Stream<Entry> counters = entries.stream().filter(entry -> entry.metric() instanceof Counter);
        return counters.filter(wanted).mapToLong(count).sum();
    }
}
