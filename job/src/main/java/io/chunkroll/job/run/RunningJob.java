package io.chunkroll.job.run;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A job that was started, in this process or on a cluster. */
interface RunningJob extends AutoCloseable {
    JobMetrics metrics();

    /** The time between two looks at it; more often there is nothing new. */
    Duration period();

    /** When the first row was read, by this machine's clock: asked for once there is one, or none will come. */
    Instant begun();

    boolean isDone();

    /** Waits for the job's end, but no longer than this. */
    void await(Duration patience) throws InterruptedException;

    /** Whether the job came to its end, of itself or because it was stopped: everything it read is settled then. */
    boolean isFinished();

    /** Why the job failed, as a paragraph; empty if it did not, was cancelled because it could not be stopped, or is not done. */
    Optional<String> failure();

    /** Ends the job early: the source stops, what it gave is committed, and the job is done. */
    void stop();

    /** What a second Ctrl-C does, as a clause behind it. */
    String onSecondStop();

    @Override
    void close() throws IOException;
}
