package io.chunkroll.faults.harness;

import io.chunkroll.job.cluster.FlinkRest;
import io.chunkroll.job.cluster.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** The load of one round, over all jobs that it takes: each time it is rescaled or submitted again it is another. */
final class RunningLoad {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Duration GLANCE = Duration.ofMillis(200);
    private static final List<Integer> PARALLELISMS = List.of(2, 4, 3, 1);

    private final Rig rig;
    private final LoadPlan plan;
    private final FlinkRest rest;
    private String jar;
    private int scaled;
    private Optional<String> job = Optional.empty();

    RunningLoad(Rig rig, LoadPlan plan) {
        this.rig = rig;
        this.plan = plan;
        rest = rig.cluster().rest();
    }

    /** Begins with the first row. The table is made if there is none. */
    void submit() {
        jar = rest.upload(rig.jar());
        job = Optional.of(run(Optional.empty()));
    }

    private String run(Optional<String> savepoint) {
        int parallelism = PARALLELISMS.get(scaled % PARALLELISMS.size());
        return rest.run(jar, plan.arguments(rig, parallelism), savepoint);
    }

    private String job() {
        return job.orElseThrow(() -> new RoundException("There is no job."));
    }

    /** Stops with a savepoint and goes on from it with another parallelism. */
    void rescale() {
        String savepoint = rest.stopWithSavepoint(job(), Optional.empty());
        scaled++;
        goOnFrom(Optional.of(savepoint));
    }

    /** Cancels the job and goes on from its newest checkpoint. */
    void resubmit() {
        rest.cancel(job());
        // Looked for in the files, and only now: what was committed since an older one would come twice.
        goOnFrom(rig.cluster().newestCheckpoint(job()));
    }

    /** Goes on from the newest checkpoint that a JobManager left which is no more; its tasks may still be running. */
    void submitToNewJobManager() {
        rig.cluster().awaitTaskManagers(0);
        jar = rest.upload(rig.jar());
        goOnFrom(rig.cluster().newestCheckpoint(job()));
    }

    private void goOnFrom(Optional<String> checkpoint) {
        if (checkpoint.isEmpty()) {
            throw new RoundException("Job " + job() + " left no checkpoint to go on from.");
        }
        job = Optional.of(run(checkpoint));
    }

    boolean isOver() {
        return rest.job(job()).isOver();
    }

    /** Waits till a checkpoint that began after this call has passed and rows have become visible since; or till the load is done. */
    void awaitCommitting(CommitWatch watch) {
        Instant from = Instant.now();
        long[] before = {-1};
        await("the job commits again", () -> {
            JobStatus status = rest.job(job());
            if (status.isOver()) {
                return true;
            }
            boolean passed = status.isRunning()
                    && rest.latestCheckpoint(job())
                            .filter(checkpoint -> checkpoint.triggered().isAfter(from))
                            .isPresent();
            if (passed && before[0] < 0) {
                before[0] = watch.rows();
            }
            return passed && watch.rows() > before[0];
        });
    }

    /** Waits till so many rows are to be seen, or the load is done. */
    void awaitRows(long rows, CommitWatch watch) {
        await(rows + " rows", () -> watch.rows() >= rows || isOver());
    }

    /** Waits for the end of the input. */
    void awaitEnd() {
        await("the job finishes", this::isOver);
        if (!rest.job(job()).isFinished()) {
            throw new RoundException("The job ended as " + rest.job(job()).state() + ". " + causes());
        }
    }

    private void await(String what, Callable<Boolean> condition) {
        try {
            Awaitility.await(what).atMost(PATIENCE).pollInterval(GLANCE).until(condition);
        } catch (ConditionTimeoutException e) {
            throw new RoundException(
                    "Not within " + PATIENCE.toSeconds() + " s: " + what + ". The job: " + rest.job(job()) + ". "
                            + causes(),
                    e);
        }
    }

    /** What the job failed from lately, in short. */
    String causes() {
        List<String> causes = rest.exceptions(job()).stream()
                .map(trace -> trace.lines()
                        .filter(line -> !line.startsWith("\t"))
                        .limit(6)
                        .reduce("", (all, line) -> all + "\n    " + line))
                .limit(4)
                .toList();
        return causes.isEmpty()
                ? "It never failed."
                : "It failed " + rest.restarts(job()) + " times, lately:" + String.join("\n", causes);
    }

    /** Ends the job however it is. */
    void abandon() {
        if (job.isPresent() && !isOver()) {
            rest.cancel(job());
        }
    }
}
