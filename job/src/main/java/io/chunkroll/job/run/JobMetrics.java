package io.chunkroll.job.run;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** What a job counts, wherever it runs. Totals are over all subtasks and since the job's begin. */
interface JobMetrics {

    /** Rows that the source gave, refused ones included. */
    long rowsRead();

    /** How often the job was restarted. */
    long restarts();

    /** Rows committed. */
    long rowsWritten();

    /** Among them, those left out because their key was there already. */
    long rowsSkipped();

    /** Among them, those that took the place of another. */
    long rowsReplaced();

    /** Rows that the user's function or the server left out as they are told to; not among those committed. */
    long rowsFiltered();

    long bytesWritten();

    /** Rows committed by each subtask of the sink, in their order; none where no subtask began. */
    List<Long> rowsPerSubtask();

    long flushes();

    long retries();

    /** When the last commit was, in milliseconds since 1970 by this machine's clock; 0 before the first. */
    long lastCommitMillis();

    /** All flush latencies so far, in microseconds. It only ever grows. */
    Histogram flushLatency();

    /** CPU time of the process that the job runs in, since its start; empty where that is not this one. */
    OptionalDouble clientCpuSeconds();

    /**
     * The job is over and the table is counted, which may prove that what was seen is all there was.
     *
     * @param gained rows that the table has more than before; empty where that is not known
     * @param expected rows that it should have more by what was seen; empty where that cannot be said
     * @param rejected rows rejected; empty where that is not known to the last
     */
    default void settle(OptionalLong gained, OptionalLong expected, OptionalLong rejected) {}

    /**
     * Whether each row that was read is written, rejected or filtered in the end. It is not so where transactions that another job has left
     * are committed, too.
     */
    default boolean addsUp() {
        return true;
    }

    /** Why the rows read are not known to the last; empty if they are. */
    default Optional<String> readUnsettled() {
        return Optional.empty();
    }

    /** Why the rows written are not known to the last; empty if they are. */
    default Optional<String> rowsUnsettled() {
        return Optional.empty();
    }

    /** Why the time of the last commit is not known; empty if it is. */
    default Optional<String> timeUnsettled() {
        return Optional.empty();
    }

    /** Why the other figures are not those of the job's end; empty if they are. */
    default Optional<String> unsettled() {
        return Optional.empty();
    }
}
