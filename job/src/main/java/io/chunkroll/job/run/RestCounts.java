package io.chunkroll.job.run;

import io.chunkroll.job.cluster.FlinkRest;
import io.chunkroll.job.cluster.JobStatus;
import io.chunkroll.job.cluster.JobStatus.Vertex;
import io.chunkroll.sinks.metrics.LatencyHistogram;
import io.chunkroll.sinks.metrics.SinkMetrics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * Counters and latencies of a job's operators as the REST interface of its cluster shows them: as old as the cluster's last look at its
 * TaskManagers. What a task counted after that look and before its end is never shown.
 */
final class RestCounts {
    private final FlinkRest rest;
    private final String job;
    private final Predicate<Figure> wanted;
    private final Map<Figure, Count> counts = new HashMap<>();
    private final Map<Figure, Histogram> lastLatencies = new HashMap<>();
    private final Histogram latency = new LatencyHistogram().snapshot();
    private final Map<String, Integer> parallelism = new HashMap<>();
    private long restarts;

    /** One metric of one subtask; {@code operator} as Flink writes it in a metric's name. */
    record Figure(String operator, int subtask, String name) {

        /** @param id as REST calls it; the metrics of a task, not of an operator in it, have no dot */
        private static Figure of(String id, int subtask) {
            int dot = id.lastIndexOf('.');
            return new Figure(id.substring(0, Math.max(0, dot)), subtask, id.substring(dot + 1));
        }

        boolean is(String otherOperator, String otherName) {
            return operator.equals(otherOperator) && name.equals(otherName);
        }
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

    /** @param wanted the counters to look at, besides flush latencies */
    RestCounts(FlinkRest rest, String job, Predicate<Figure> wanted) {
        this.rest = rest;
        this.job = job;
        this.wanted = wanted.or(RestCounts::isLatency);
    }

    private static boolean isLatency(Figure figure) {
        return figure.name().equals(SinkMetrics.FLUSH_LATENCY_TEXT);
    }

    /**
     * Takes in what the cluster shows now.
     *
     * @param status the job's, of this moment
     * @throws io.chunkroll.job.cluster.ClusterException if it does not answer
     */
    void look(JobStatus status) {
        restarts = Math.max(restarts, rest.restarts(job));
        for (Vertex vertex : status.vertices()) {
            // The JobManager knows attempts at once, metrics only when all TaskManagers have told theirs, or are given
            // up.
            restarts = Math.max(restarts, rest.attempts(job, vertex.id()));
            List<String> ids = rest.metricNames(job, vertex.id(), 0).stream()
                    .filter(id -> id.indexOf('.') > 0 && wanted.test(Figure.of(id, 0)))
                    .toList();
            for (int subtask = 0; subtask < vertex.parallelism() && !ids.isEmpty(); subtask++) {
                int index = subtask;
                rest.metrics(job, vertex.id(), subtask, ids).forEach((id, value) -> take(Figure.of(id, index), value));
            }
            ids.forEach(id -> parallelism.put(Figure.of(id, 0).operator(), vertex.parallelism()));
        }
    }

    private void take(Figure figure, String value) {
        if (isLatency(figure)) {
            takeLatencies(figure, LatencyHistogram.decoded(value));
        } else {
            counts.computeIfAbsent(figure, unseen -> new Count()).see(Long.parseLong(value));
        }
    }

    private void takeLatencies(Figure figure, Histogram now) {
        Histogram more = now.copy();
        Histogram last = lastLatencies.put(figure, now);
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

    /** How often tasks of the job were started anew. */
    long restarts() {
        return restarts;
    }

    /** What these counters came to over all attempts, by subtask. */
    SortedMap<Integer, Long> totals(Predicate<Figure> of) {
        return bySubtask(of, count -> count.total);
    }

    /** What these counters showed last, by subtask: for those that go on over attempts. Subtasks that there are no more do not count. */
    SortedMap<Integer, Long> latest(Predicate<Figure> of) {
        Predicate<Figure> alive = figure -> figure.subtask() < parallelism.getOrDefault(figure.operator(), 0);
        return bySubtask(of.and(alive), count -> count.last);
    }

    private SortedMap<Integer, Long> bySubtask(Predicate<Figure> of, ToLongFunction<Count> value) {
        SortedMap<Integer, Long> values = new TreeMap<>();
        counts.forEach((figure, count) -> {
            if (of.test(figure)) {
                values.merge(figure.subtask(), value.applyAsLong(count), Long::sum);
            }
        });
        return values;
    }

    /** The greatest value that is shown under this name; 0 if none is. */
    long greatest(String name) {
        return counts.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(name))
                .mapToLong(entry -> entry.getValue().last)
                .max()
                .orElse(0);
    }

    /** All flush latencies that were seen, in microseconds. */
    Histogram latency() {
        return latency.copy();
    }
}
