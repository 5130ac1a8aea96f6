package io.chunkroll.job.run;

import io.chunkroll.job.cluster.FlinkRest;
import io.chunkroll.job.cluster.JobStatus;
import io.chunkroll.job.cluster.JobStatus.Vertex;
import io.chunkroll.sinks.metrics.LatencyHistogram;
import io.chunkroll.sinks.metrics.SinkMetrics;
import io.chunkroll.sinks.reject.RejectLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;
import org.apache.flink.runtime.metrics.MetricNames;

/**
 * A job's metrics as the REST interface of its cluster shows them: as old as the cluster's last look at its TaskManagers. What a task
 * counted after that look and before its end is never shown; so at the end it has to be proven that there was nothing, see
 * {@link #settle}.
 */
final class RestMetrics implements JobMetrics {
    private static final String SOURCE = "Source__" + Pipeline.SOURCE;
    private static final String SOURCE_VERTEX = "Source: " + Pipeline.SOURCE;
    private static final String WRITER_AT_END = Pipeline.SINK + ": Writer";
    private static final String WRITER = Pipeline.SINK + "__Writer";
    private static final String SENT_ROWS = "numRecordsSend";
    private static final String SENT_BYTES = "numBytesSend";
    private static final Set<String> WANTED = Set.of(
            SinkMetrics.COMMITTED_ROWS,
            SinkMetrics.COMMITTED_BYTES,
            SinkMetrics.FLUSHES,
            SinkMetrics.RETRIES,
            SinkMetrics.SKIPPED,
            SinkMetrics.REPLACED,
            SinkMetrics.FILTERED,
            SinkMetrics.LAST_COMMIT_TIME,
            SinkMetrics.FLUSH_LATENCY_TEXT,
            SENT_ROWS,
            SENT_BYTES,
            RejectLog.COUNTER);

    /**
     * What is known of the load before it runs.
     *
     * @param resumed whether it goes on from a savepoint, whose rows its sink counts as committed, too
     * @param exactlyOnce whether rows are committed by a committer
     * @param filtered whether rows may be left out by a filter
     * @param rejecting whether rows may be rejected
     */
    record Kind(boolean resumed, boolean exactlyOnce, boolean filtered, boolean rejecting) {}

    /** One metric of one subtask. */
    private record Key(String operator, int subtask, String name) {}

    private final FlinkRest rest;
    private final String job;
    private final Kind kind;
    private final Map<Key, Count> counts = new HashMap<>();
    private final Map<Key, Histogram> lastLatencies = new HashMap<>();
    private final Histogram latency = new LatencyHistogram().snapshot();
    private final Map<String, Integer> parallelism = new HashMap<>();
    private long clockAheadMillis;
    private long restarts;
    private Optional<JobStatus> end = Optional.empty();
    private OptionalLong readExactly = OptionalLong.empty();
    private OptionalLong writtenExactly = OptionalLong.empty();
    private boolean readSeen;
    private boolean allSeen;
    private boolean writtenSeen;

    RestMetrics(FlinkRest rest, String job, Kind kind) {
        this.rest = rest;
        this.job = job;
        this.kind = kind;
    }

    /** A counter over the attempts of its task: one that is smaller than before is another attempt's. */
    private static final class Count {
        private long last;
        private long total;

        private void see(long now) {
            total += now >= last ? now - last : now;
            last = now;
        }
    }

    /**
     * Takes in what the cluster shows now.
     *
     * @param status the job's, of this moment
     * @throws io.chunkroll.job.cluster.ClusterException if it does not answer
     */
    void look(JobStatus status) {
        clockAheadMillis = status.nowMillis() - System.currentTimeMillis();
        for (Vertex vertex : status.vertices()) {
            List<String> names = rest.metricNames(job, vertex.id(), 0).stream()
                    .filter(RestMetrics::isWanted)
                    .toList();
            for (int subtask = 0; subtask < vertex.parallelism() && !names.isEmpty(); subtask++) {
                int index = subtask;
                rest.metrics(job, vertex.id(), subtask, names).forEach((id, value) -> take(id, index, value));
            }
            for (String id : names) {
                parallelism.put(operator(id), vertex.parallelism());
            }
        }
        restarts = Math.max(restarts, rest.restarts(job));
        if (status.isOver()) {
            end = Optional.of(status);
            boolean lossless = addsUp() && !kind.filtered() && !kind.rejecting();
            OptionalLong sent = sentToTheEnd();
            writtenExactly = sent.isPresent() ? sent : lossless ? readToTheEnd() : OptionalLong.empty();
        }
    }

    private static boolean isWanted(String id) {
        String name = name(id);
        return id.lastIndexOf('.') > 0
                && (operator(id).equals(SOURCE) ? name.equals(MetricNames.IO_NUM_RECORDS_OUT) : WANTED.contains(name));
    }

    private static String operator(String id) {
        return id.substring(0, Math.max(0, id.lastIndexOf('.')));
    }

    private static String name(String id) {
        return id.substring(id.lastIndexOf('.') + 1);
    }

    private void take(String id, int subtask, String value) {
        Key key = new Key(operator(id), subtask, name(id));
        if (key.name().equals(SinkMetrics.FLUSH_LATENCY_TEXT)) {
            takeLatencies(key, LatencyHistogram.decoded(value));
        } else {
            counts.computeIfAbsent(key, unseen -> new Count()).see(Long.parseLong(value));
        }
    }

    private void takeLatencies(Key key, Histogram now) {
        Histogram more = now.copy();
        Histogram last = lastLatencies.put(key, now);
        if (last != null && now.getTotalCount() >= last.getTotalCount()) {
            try {
                more.subtract(last);
            } catch (IllegalArgumentException e) {
                // Another attempt's, which has flushed more than the one before: all of it is new.
                more = now;
            }
        }
        latency.add(more);
    }

    private long sum(Predicate<Key> wanted, ToLongFunction<Count> value) {
        return counts.entrySet().stream()
                .filter(entry -> wanted.test(entry.getKey()))
                .mapToLong(entry -> value.applyAsLong(entry.getValue()))
                .sum();
    }

    private long total(String name) {
        return sum(key -> key.name().equals(name), count -> count.total);
    }

    @Override
    public long rowsRead() {
        return readExactly.isPresent() ? readExactly.getAsLong() : total(MetricNames.IO_NUM_RECORDS_OUT);
    }

    @Override
    public long restarts() {
        return restarts;
    }

    @Override
    public long rowsWritten() {
        return writtenExactly.orElseGet(this::seenWritten);
    }

    private long seenSent() {
        return sum(key -> key.name().equals(SENT_ROWS) && key.operator().equals(WRITER), count -> count.total);
    }

    private long seenWritten() {
        return committed(SinkMetrics.COMMITTED_ROWS, SENT_ROWS);
    }

    private long committed(String committed, String sent) {
        return countsSent()
                ? sum(key -> key.name().equals(sent) && key.operator().equals(WRITER), count -> count.total)
                : sum(key -> key.name().equals(committed) && isCommitted(key), count -> count.last);
    }

    /**
     * Whether rows count when the server has taken them. So it is after an exactly-once load that came to its end: all of them are
     * committed, the last ones just before the tasks end, where no look sees it. And so it is, at-least-once, where a load goes on from a
     * savepoint: its sink begins with the count of that.
     */
    private boolean countsSent() {
        return kind.exactlyOnce()
                ? restarts == 0 && end.filter(JobStatus::isFinished).isPresent()
                : kind.resumed();
    }

    private boolean isCommitted(Key key) {
        boolean ofOtherJob =
                kind.resumed() && kind.exactlyOnce() && key.operator().equals(WRITER);
        return isAlive(key) && !ofOtherJob;
    }

    /** Whether there is still such a subtask: a job that was rescaled may have had more. */
    private boolean isAlive(Key key) {
        return key.subtask() < parallelism.getOrDefault(key.operator(), Integer.MAX_VALUE);
    }

    @Override
    public long rowsSkipped() {
        return total(SinkMetrics.SKIPPED);
    }

    @Override
    public long rowsReplaced() {
        return total(SinkMetrics.REPLACED);
    }

    @Override
    public long rowsFiltered() {
        return total(SinkMetrics.FILTERED);
    }

    /** Rows refused, counted as they were found. */
    long rowsRejected() {
        return total(RejectLog.COUNTER);
    }

    @Override
    public long bytesWritten() {
        return committed(SinkMetrics.COMMITTED_BYTES, SENT_BYTES);
    }

    @Override
    public List<Long> rowsPerSubtask() {
        SortedMap<Integer, Long> rows = new TreeMap<>();
        boolean sent = countsSent();
        counts.forEach((key, count) -> {
            if (sent
                    ? key.name().equals(SENT_ROWS) && key.operator().equals(WRITER)
                    : key.name().equals(SinkMetrics.COMMITTED_ROWS) && isCommitted(key)) {
                rows.merge(key.subtask(), sent ? count.total : count.last, Long::sum);
            }
        });
        return new ArrayList<>(rows.values());
    }

    @Override
    public long flushes() {
        return total(SinkMetrics.FLUSHES);
    }

    @Override
    public long retries() {
        return total(SinkMetrics.RETRIES);
    }

    @Override
    public long lastCommitMillis() {
        long last = counts.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(SinkMetrics.LAST_COMMIT_TIME))
                .mapToLong(entry -> entry.getValue().last)
                .max()
                .orElse(0);
        boolean unseen = kind.exactlyOnce() && last > 0 && countsSent();
        return last == 0 ? 0 : toHere(unseen ? end.orElseThrow().endMillis() : last);
    }

    /** A moment of the cluster's clocks by this machine's. */
    long toHere(long clusterMillis) {
        return clusterMillis - clockAheadMillis;
    }

    @Override
    public Histogram flushLatency() {
        return latency.copy();
    }

    @Override
    public OptionalDouble clientCpuSeconds() {
        return OptionalDouble.empty();
    }

    /**
     * Looks whether all was seen: whether what was last seen is what the tasks reported at their end, or what the table has more than before.
     * If not, the rows written may still be known, as those read that were not rejected, where nothing filters them.
     */
    @Override
    public void settle(OptionalLong gained, OptionalLong expected, OptionalLong rejected) {
        boolean finished = end.filter(JobStatus::isFinished).isPresent();
        boolean tableAgrees = gained.isPresent() && gained.equals(expected) && seenWritten() == rowsWritten();
        OptionalLong sent = sentToTheEnd();
        readExactly = readToTheEnd();
        long settled = rowsWritten() + rejected.orElse(rowsRejected()) + rowsFiltered();
        boolean balanced = !finished || !addsUp() || rowsRead() == settled;
        boolean reported = sent.isPresent()
                ? sent.getAsLong() == seenSent()
                : readExactly.isPresent() && addsUp() && seenWritten() == rowsWritten();
        allSeen = restarts == 0 && balanced && (tableAgrees || reported);
        readSeen = allSeen || readExactly.isPresent();
        writtenSeen = allSeen || tableAgrees || writtenExactly.isPresent();
        if (!writtenSeen && readExactly.isPresent() && rejected.isPresent() && !kind.filtered()) {
            OptionalLong rest = OptionalLong.of(readExactly.getAsLong() - rejected.getAsLong());
            if (addsUp() || gained.equals(rest)) {
                writtenExactly = rest;
                writtenSeen = true;
            }
        }
    }

    /** What the source gave to the next task; empty unless it gave all in one attempt, to another task. */
    private OptionalLong readToTheEnd() {
        return end.filter(JobStatus::isFinished).isPresent() ? reported(SOURCE_VERTEX::equals) : OptionalLong.empty();
    }

    /** What the writers sent; empty after a restart, and where others come behind them in their task. */
    private OptionalLong sentToTheEnd() {
        return reported(name -> name.endsWith(WRITER_AT_END));
    }

    /** What a vertex's tasks reported as given on when they ended; a writer counts there what the server has taken. */
    private OptionalLong reported(Predicate<String> name) {
        return end.filter(status -> restarts == 0).stream()
                .flatMap(status -> status.vertices().stream())
                .filter(vertex -> name.test(vertex.name()))
                .mapToLong(Vertex::writtenRecords)
                .findFirst();
    }

    @Override
    public boolean addsUp() {
        return !(kind.resumed() && kind.exactlyOnce());
    }

    @Override
    public Optional<String> readUnsettled() {
        return readSeen ? Optional.empty() : Optional.of(reason());
    }

    @Override
    public Optional<String> rowsUnsettled() {
        return writtenSeen ? Optional.empty() : Optional.of(reason());
    }

    @Override
    public Optional<String> unsettled() {
        return allSeen ? Optional.empty() : Optional.of(reason());
    }

    private String reason() {
        return restarts > 0
                ? "the job was restarted, and what a task counted between the cluster's last look at it and its failure is lost"
                : "the job's tasks counted more after the cluster's last look at them; a shorter metrics.fetcher.update-interval (default"
                        + " 10 s) in the cluster's configuration makes that unlikely";
    }
}
