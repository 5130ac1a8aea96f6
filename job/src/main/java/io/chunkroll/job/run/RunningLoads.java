package io.chunkroll.job.run;

import io.chunkroll.job.cluster.FlinkRest;
import io.chunkroll.job.cluster.JobEntry;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The loads that run on a cluster. */
public final class RunningLoads {
    /** What the names of loads begin with. */
    static final String NAME = "chunkroll ";

    private RunningLoads() {}

    /**
     * The load that is meant.
     *
     * @param job its id; empty where there is only one
     * @throws RunException if there is none, or more than one
     */
    public static String find(FlinkRest rest, Optional<String> job) {
        List<JobEntry> running = rest.jobs().stream()
                .filter(entry -> entry.state().equals("RUNNING"))
                .filter(entry ->
                        job.map(entry.id()::equals).orElseGet(() -> entry.name().startsWith(NAME)))
                .toList();
        if (running.isEmpty()) {
            throw new RunException("No job " + job.orElse("of chunkroll") + " is running on " + rest.address());
        }
        if (running.size() > 1) {
            throw new RunException("Several loads are running on " + rest.address() + ": say which by --job, of "
                    + running.stream()
                            .map(entry -> entry.id() + " (" + entry.name().substring(NAME.length()) + ")")
                            .collect(Collectors.joining(", ")));
        }
        return running.get(0).id();
    }
}
