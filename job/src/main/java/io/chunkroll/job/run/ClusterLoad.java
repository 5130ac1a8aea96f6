package io.chunkroll.job.run;

import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.Settings.SinkKind;
import io.chunkroll.job.settings.SettingsException;
import io.chunkroll.sinks.table.BulkLoad;
import io.chunkroll.sinks.table.ConnectionOptions;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A load in an environment that somebody else made: a session cluster, application mode. */
public final class ClusterLoad {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterLoad.class);

    private ClusterLoad() {}

    /**
     * Prepares the table, builds the pipeline and executes it.
     *
     * @param settings of a load on a cluster
     * @throws SettingsException if the load must await its end, and would not
     */
    public static void submit(Settings settings) throws Exception {
        Optional<ConnectionOptions> server = settings.sink().server();
        boolean discard = settings.sink().kind() == SinkKind.DISCARD;
        server.ifPresent(Target::check);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        checkEndIsAwaited(settings, env.getConfiguration());
        Load load = discard ? Load.discarding(settings) : Load.into(settings, server.get());
        Pipeline.build(env, load, discard ? Optional.empty() : server, RejectPlace.onCluster(settings));
        Optional<BulkLoad> bulk = load.beginBulk(server);
        try {
            env.execute(RunningLoads.NAME + load.subject().name());
            if (bulk.isPresent()) {
                LOG.info("All rows are committed; building indexes");
                LOG.info(
                        "{}",
                        bulk.get()
                                .finish(
                                        settings.job().parallelism(),
                                        settings.sink().indexMemory()));
            }
        } catch (Exception e) {
            bulk.ifPresent(begun -> LOG.error("{}", begun.endEarly()));
            throw e;
        } finally {
            bulk.ifPresent(BulkLoad::close);
        }
    }

    static void checkEndIsAwaited(Settings settings, ReadableConfig environment) {
        if (settings.sink().load() == Settings.Load.BULK && !environment.get(DeploymentOptions.ATTACHED)) {
            throw new SettingsException(List.of(AllSettings.LOAD.key()
                    + ": bulk must await the end of the job, to build indexes then, but this submission is detached: submit"
                    + " with 'flink run' without -d, or set " + DeploymentOptions.ATTACHED.key()
                    + " to true in application mode, or use live"));
        }
    }
}
