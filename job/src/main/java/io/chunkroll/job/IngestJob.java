package io.chunkroll.job;

import io.chunkroll.job.run.ClusterLoad;
import io.chunkroll.job.settings.Settings;
import java.util.List;

/**
 * The job's main class on a cluster: {@code flink run chunkroll-job.jar --key value …}, or the same words as {@code job.args} of the
 * Kubernetes operator. On this machine, {@link io.chunkroll.job.cli.Main} runs the same pipeline and watches it.
 */
public final class IngestJob {
    private IngestJob() {}

    /** Makes the table if need be and hands the job to the environment in which it is called. */
    public static void main(String[] arguments) throws Exception {
        ClusterLoad.submit(Settings.ofClusterLoad(List.of(arguments)));
    }
}
