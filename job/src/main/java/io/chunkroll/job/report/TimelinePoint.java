package io.chunkroll.job.report;

import java.time.Instant;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One row of a run's timeline: what one period of the run brought. Empty means not measured.
 *
 * @param time the end of the period
 * @param elapsedSeconds from the start of the run to the end of the period
 * @param phase {@link #LOAD} while rows are loaded, {@link #AFTER} while the server still works on what it got
 * @param rows rows committed since the start
 * @param rowsPerSecond rows committed in the period, a second
 * @param bytesPerSecond bytes committed in the period, a second
 * @param flushP50Millis the median duration of the period's flushes
 * @param flushP99Millis the 99th percentile of the period's flushes
 * @param chunks chunks the table has at the end of the period
 * @param walBytes bytes of write-ahead log since the start
 * @param serverCpuSeconds CPU time the server took since the start
 * @param clientCpuSeconds CPU time this side took since the start
 * @param diskWriteBytes bytes the server wrote to disk since the start
 * @param tableBytes bytes of the table's rows on disk at the end of the period
 * @param indexBytes bytes of its indexes on disk at the end of the period
 */
public record TimelinePoint(
        Instant time,
        double elapsedSeconds,
        String phase,
        long rows,
        double rowsPerSecond,
        OptionalDouble bytesPerSecond,
        OptionalDouble flushP50Millis,
        OptionalDouble flushP99Millis,
        OptionalLong chunks,
        OptionalLong walBytes,
        OptionalDouble serverCpuSeconds,
        OptionalDouble clientCpuSeconds,
        OptionalLong diskWriteBytes,
        OptionalLong tableBytes,
        OptionalLong indexBytes) {

    /** The phase in which rows are loaded. */
    public static final String LOAD = "load";

    /** The phase after the last commit. */
    public static final String AFTER = "after";

    public TimelinePoint {
        if (!Double.isFinite(elapsedSeconds) || !Double.isFinite(rowsPerSecond)) {
            throw new IllegalArgumentException(
                    "A timeline holds finite numbers, not elapsed " + elapsedSeconds + ", rate " + rowsPerSecond);
        }
    }

    /** Whether rows were being loaded. */
    public boolean isLoad() {
        return phase.equals(LOAD);
    }
}
