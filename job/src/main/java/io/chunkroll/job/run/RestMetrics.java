package io.chunkroll.job.run;

import io.chunkroll.job.cluster.FlinkRest;
import io.chunkroll.job.cluster.JobStatus;
import io.chunkroll.job.cluster.JobStatus.Vertex;
import io.chunkroll.job.run.RestCounts.Figure;
import io.chunkroll.sinks.metrics.SinkMetrics;
import io.chunkroll.sinks.reject.RejectLog;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;
import org.apache.flink.runtime.metrics.MetricNames;

/**
 * A job's figures by the REST interface of its cluster. What a task counted after the cluster's last look at it and before its end is never
 * shown; so at the end it has to be proven that there was nothing, see {@link #settle}.
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
     * @param rows of the source; empty where they are not known, or a savepoint has had some of them
     */
    record Kind(boolean resumed, boolean exactlyOnce, boolean filtered, boolean rejecting, OptionalLong rows) {}

    private final Kind kind;
    private final RestCounts seen;
    private long clockAheadMillis;
    private Optional<JobStatus> end = Optional.empty();
    private OptionalLong readExactly = OptionalLong.empty();
    private OptionalLong writtenExactly = OptionalLong.empty();
    private boolean readSeen;
    private boolean allSeen;
    private boolean writtenSeen;

    RestMetrics(FlinkRest rest, String job, Kind kind) {
        this.kind = kind;
        seen = new RestCounts(rest, job, RestMetrics::isWanted);
    }

    private static boolean isWanted(Figure figure) {
        return figure.is(SOURCE, MetricNames.IO_NUM_RECORDS_OUT)
                || (!figure.operator().equals(SOURCE) && WANTED.contains(figure.name()));
    }

    /**
     * Takes in what the cluster shows now.
     *
     * @param status the job's, of this moment
     * @throws io.chunkroll.job.cluster.ClusterException if it does not answer
     */
    void look(JobStatus status) {
        clockAheadMillis = status.nowMillis() - System.currentTimeMillis();
        seen.look(status);
        if (status.isOver()) {
            end = Optional.of(status);
            boolean lossless = addsUp() && !kind.filtered() && !kind.rejecting();
            OptionalLong sent = sentToTheEnd();
            writtenExactly = sent.isPresent() ? sent : lossless ? readToTheEnd() : OptionalLong.empty();
        }
    }

    private static long sum(SortedMap<Integer, Long> bySubtask) {
        return bySubtask.values().stream().mapToLong(Long::longValue).sum();
    }

    private long total(String name) {
        return sum(seen.totals(figure -> figure.name().equals(name)));
    }

    @Override
    public long rowsRead() {
        return readExactly.isPresent() ? readExactly.getAsLong() : total(MetricNames.IO_NUM_RECORDS_OUT);
    }

    @Override
    public long restarts() {
        return seen.restarts();
    }

    @Override
    public long rowsWritten() {
        return writtenExactly.orElseGet(this::seenWritten);
    }

    private long seenWritten() {
        return sum(committed(SinkMetrics.COMMITTED_ROWS, SENT_ROWS));
    }

    private SortedMap<Integer, Long> sent(String name) {
        return seen.totals(figure -> figure.is(WRITER, name));
    }

    private SortedMap<Integer, Long> committed(String committed, String sent) {
        return countsSent() ? sent(sent) : latest(committed);
    }

    /**
     * Whether rows count when the server has taken them. So it is after an exactly-once load that came to its end: all of them are
     * committed, the last ones just before the tasks end, where no look sees it. And so it is, at-least-once, where a load goes on from a
     * savepoint: its sink begins with the count of that.
     */
    private boolean countsSent() {
        return kind.exactlyOnce() ? restarts() == 0 && isFinished() : kind.resumed();
    }

    private boolean isOfOtherJob(String operator) {
        return kind.resumed() && kind.exactlyOnce() && operator.equals(WRITER);
    }

    private boolean isFinished() {
        return end.filter(JobStatus::isFinished).isPresent();
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
        return sum(committed(SinkMetrics.COMMITTED_BYTES, SENT_BYTES));
    }

    @Override
    public List<Long> rowsPerSubtask() {
        return List.copyOf(committed(SinkMetrics.COMMITTED_ROWS, SENT_ROWS).values());
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
        long last = seen.greatest(SinkMetrics.LAST_COMMIT_TIME);
        boolean missed = isFinished() && rowsWritten() != sum(seenCommitted());
        return last == 0 ? 0 : toHere(missed ? end.orElseThrow().endMillis() : last);
    }

    private SortedMap<Integer, Long> seenCommitted() {
        boolean countsOthers = kind.resumed() && !kind.exactlyOnce();
        return countsOthers ? sent(SENT_ROWS) : latest(SinkMetrics.COMMITTED_ROWS);
    }

    private SortedMap<Integer, Long> latest(String name) {
        return seen.latest(figure -> figure.name().equals(name) && !isOfOtherJob(figure.operator()));
    }

    /** A moment of the cluster's clocks by this machine's. */
    long toHere(long clusterMillis) {
        return clusterMillis - clockAheadMillis;
    }

    @Override
    public Histogram flushLatency() {
        return seen.latency();
    }

    @Override
    public OptionalDouble clientCpuSeconds() {
        return OptionalDouble.empty();
    }

    /**
     * Looks whether all was seen: whether what was last seen is what the tasks reported at their end, or what the table has more than before.
     * If not, the rows written may still be known: as those read that were not rejected, where nothing filters them, or as those that the
     * table has more, if these are all that there were to load.
     */
    @Override
    public void settle(OptionalLong gained, OptionalLong expected, OptionalLong rejected) {
        boolean tableAgrees = gained.isPresent() && gained.equals(expected) && seenWritten() == rowsWritten();
        OptionalLong sent = sentToTheEnd();
        readExactly = readToTheEnd();
        long settled = rowsWritten() + rejected.orElse(rowsRejected()) + rowsFiltered();
        boolean balanced = !isFinished() || !addsUp() || rowsRead() == settled;
        boolean reported = sent.isPresent()
                ? sent.getAsLong() == sum(sent(SENT_ROWS))
                : readExactly.isPresent() && addsUp() && seenWritten() == rowsWritten();
        allSeen = restarts() == 0 && balanced && (tableAgrees || reported);
        readSeen = allSeen || readExactly.isPresent();
        if (!allSeen && !tableAgrees && writtenExactly.isEmpty()) {
            writtenExactly = provenWritten(gained, rejected);
        }
        writtenSeen = allSeen || tableAgrees || writtenExactly.isPresent();
    }

    private OptionalLong provenWritten(OptionalLong gained, OptionalLong rejected) {
        OptionalLong given = readExactly.isPresent() ? readExactly : isFinished() ? kind.rows() : OptionalLong.empty();
        if (given.isEmpty() || rejected.isEmpty() || kind.filtered()) {
            return OptionalLong.empty();
        }
        OptionalLong left = OptionalLong.of(given.getAsLong() - rejected.getAsLong());
        return (readExactly.isPresent() && addsUp()) || gained.equals(left) ? left : OptionalLong.empty();
    }

    /** What the source gave to the next task; empty unless it gave all in one attempt, to another task. */
    private OptionalLong readToTheEnd() {
        return isFinished() ? reported(SOURCE_VERTEX::equals) : OptionalLong.empty();
    }

    /** What the writers sent; empty after a restart, and where others come behind them in their task. */
    private OptionalLong sentToTheEnd() {
        return reported(name -> name.endsWith(WRITER_AT_END));
    }

    /** What a vertex's tasks reported as given on when they ended; a writer counts there what the server has taken. */
    private OptionalLong reported(Predicate<String> name) {
        return end.filter(status -> restarts() == 0).stream()
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

    /** A load that came to its end committed its last rows just before, if nobody saw when. */
    @Override
    public Optional<String> timeUnsettled() {
        return writtenSeen && (allSeen || isFinished()) ? Optional.empty() : Optional.of(reason());
    }

    @Override
    public Optional<String> unsettled() {
        return allSeen ? Optional.empty() : Optional.of(reason());
    }

    private String reason() {
        return restarts() > 0
                ? "the job was restarted, and what a task counted between the cluster's last look at it and its failure is lost"
                : "the job's tasks counted more after the cluster's last look at them; a shorter metrics.fetcher.update-interval (default"
                        + " 10 s) in the cluster's configuration makes that unlikely";
    }
}
