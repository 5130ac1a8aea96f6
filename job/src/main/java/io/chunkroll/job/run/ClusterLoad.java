package io.chunkroll.job.run;

import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.Settings.SinkKind;
import io.chunkroll.job.settings.SettingsException;
import io.chunkroll.sinks.table.ConnectionOptions;
import java.util.List;
import java.util.Optional;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A load in an environment that somebody else made: a session cluster, application mode. */
public final class ClusterLoad {
    private ClusterLoad() {}

    /**
     * Prepares the table, builds the pipeline and executes it.
     *
     * @throws SettingsException without {@code sink.url}: the embedded server is for loads on one machine
     */
    public static void submit(Settings settings) throws Exception {
        Optional<ConnectionOptions> server = settings.sink().server();
        boolean discard = settings.sink().kind() == SinkKind.DISCARD;
        if (server.isEmpty() && !discard) {
            throw new SettingsException(List.of(AllSettings.URL.key()
                    + ": is needed on a cluster, whose machines cannot reach an embedded server"));
        }
        server.ifPresent(Target::check);
        Load load = discard ? Load.discarding(settings) : Load.into(settings, server.get());
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        String rejects = settings.runDir()
                .map(dir -> dir.resolve("rejects").toUri().toString())
                .orElse("rejects");
        Pipeline.build(env, load, discard ? Optional.empty() : server, rejects);
        env.execute("chunkroll " + load.name());
    }
}
