package io.chunkroll.job.run;

import io.chunkroll.job.map.MapClass;
import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.Settings.Create;
import io.chunkroll.job.settings.Settings.SinkKind;
import io.chunkroll.job.settings.SettingsException;
import io.chunkroll.sinks.table.BulkLoad;
import io.chunkroll.sinks.table.ConnectionOptions;
import java.util.ArrayList;
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
     * @throws SettingsException if the settings are for a load on one machine
     */
    public static void submit(Settings settings) throws Exception {
        check(settings);
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

    /**
     * Refuses what is right on one machine and wrong on several.
     *
     * @throws SettingsException with every fault there is
     */
    public static void check(Settings settings) {
        List<String> faults = faults(settings);
        if (!faults.isEmpty()) {
            throw new SettingsException(faults);
        }
    }

    /** What is right on one machine and wrong on several. */
    static List<String> faults(Settings settings) {
        List<String> faults = new ArrayList<>();
        if (settings.sink().server().isEmpty() && settings.sink().kind() != SinkKind.DISCARD) {
            faults.add(
                    AllSettings.URL.key() + ": is needed on a cluster, whose machines cannot reach an embedded server");
        }
        if (settings.sink().create() == Create.RECREATE) {
            faults.add(AllSettings.CREATE.key()
                    + ": recreate is refused on a cluster, where a job's main method runs again when its JobManager fails"
                    + " over or it goes on from a savepoint, and would drop the rows that are committed: drop the table by"
                    + " hand before the first submission, and set if-missing, or never if you make it yourself");
        }
        if (settings.job().map().flatMap(MapClass::jar).isPresent()) {
            faults.add(
                    AllSettings.MAP_JAR.key()
                            + ": is a file of this machine; on a cluster put the jar into Flink's lib/, or into usrlib/ in application mode");
        }
        RejectPlace.faultOnCluster(settings).ifPresent(faults::add);
        return faults;
    }
}
