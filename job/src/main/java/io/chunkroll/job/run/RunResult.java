package io.chunkroll.job.run;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How a run ended.
 *
 * @param folder the run folder
 * @param outcome in a word
 * @param failure why it failed, as a paragraph; empty if it did not
 * @param rejects rows refused, and where they are told of
 */
public record RunResult(Path folder, Outcome outcome, Optional<String> failure, Rejects rejects) {

    /**
     * Rows refused.
     *
     * @param folder a path or a URI
     */
    public record Rejects(long rows, String folder) {}

    /** The ways in which a run ends, each with the exit code of the command. */
    public enum Outcome {
        FINISHED(0),
        FAILED(1),
        REJECTED_SOME(3),
        STOPPED(130);

        private final int exitCode;

        Outcome(int exitCode) {
            this.exitCode = exitCode;
        }

        public int exitCode() {
            return exitCode;
        }
    }
}
