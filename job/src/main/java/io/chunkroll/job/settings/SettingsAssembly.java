package io.chunkroll.job.settings;

import io.chunkroll.job.map.MapClass;
import io.chunkroll.job.settings.Settings.Guarantee;
import io.chunkroll.job.settings.Settings.Job;
import io.chunkroll.job.settings.Settings.Sink;
import io.chunkroll.job.settings.Settings.SinkKind;
import io.chunkroll.job.settings.Settings.Source;
import io.chunkroll.job.settings.Settings.SourceKind;
import io.chunkroll.server.PostgresServer;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.OnConflict;
import io.chunkroll.sources.fleet.DataSet;
import io.chunkroll.sources.tsbs.TsbsOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Puts {@link Settings} together, and checks what single values cannot tell: whether they go together. */
final class SettingsAssembly {
    static final String REJECT_ONLY = "has a meaning only with source.on-bad-row reject";

    /** Where the load runs. */
    enum Place {
        /** That does not matter, or is not known. */
        ANY,
        /** On this machine alone. */
        HERE,
        /** On machines of a cluster, which share neither files nor memory. */
        CLUSTER
    }

    private final SettingsReader reader;
    private final Place place;

    /** @param faults those found already */
    SettingsAssembly(Map<String, String> texts, List<String> faults, Place place) {
        this.place = place;
        reader = new SettingsReader(texts);
        faults.forEach(reader::fault);
    }

    Settings settings() {
        boolean here = place == Place.HERE;
        Source source = new SourceAssembly(reader, here).source();
        Sink sink = new SinkAssembly(reader, here).sink(tableName(source));
        Job job = job();
        Map<String, String> server = reader.server();
        PostgresServer.faultsOf(server).forEach(reader::fault);
        Path runDir = reader.value(AllSettings.RUN_DIR);
        Duration watchAfter = reader.value(AllSettings.WATCH_AFTER);
        String rejectsDir = reader.value(AllSettings.REJECTS_DIR);
        InetSocketAddress live = reader.value(AllSettings.LIVE);
        if (source.mostRejects().isEmpty()) {
            reader.refuse(AllSettings.REJECTS_DIR, REJECT_ONLY);
        }
        if (!server.isEmpty() && reader.isSet(AllSettings.URL)) {
            reader.fault(AllSettings.SERVER_PREFIX + server.keySet().iterator().next()
                    + ": is a setting of the embedded server, which is not used when sink.url is given");
        }
        if (place == Place.CLUSTER) {
            new ClusterRules(reader).check();
        }
        reader.throwFaults();
        return new Settings(
                source,
                sink,
                job,
                server,
                Optional.ofNullable(runDir),
                watchAfter,
                Optional.ofNullable(rejectsDir),
                Optional.ofNullable(live),
                masked(reader.effective()));
    }

    /** What the table is called where nobody chose a name; empty where nothing tells. */
    private Optional<String> tableName(Source source) {
        if (source.kind() == SourceKind.TSBS) {
            String measurement = reader.value(AllSettings.MEASUREMENT);
            return Optional.of(measurement == null ? TsbsOptions.USUAL_MEASUREMENT : measurement);
        }
        return source.dataset().map(DataSet::tableName);
    }

    /**
     * The way through Flink's buffers costs as much as parsing. It is worth it where one row may wait for another with its key, and on a
     * cluster, whose many writers share a fleet out.
     */
    private boolean mayStay() {
        return place == Place.HERE
                && reader.value(AllSettings.SINK_KIND) != SinkKind.JDBC
                && reader.value(AllSettings.ON_CONFLICT) == OnConflict.ERROR
                && reader.value(AllSettings.GUARANTEE) == Guarantee.AT_LEAST_ONCE;
    }

    private Job job() {
        Long parallelism = reader.value(AllSettings.PARALLELISM);
        String partitionBy = reader.value(AllSettings.PARTITION_BY);
        Duration checkpoints = reader.value(AllSettings.CHECKPOINT_INTERVAL);
        int subtasks = parallelism == null ? Runtime.getRuntime().availableProcessors() : Math.toIntExact(parallelism);
        return new Job(subtasks, Optional.ofNullable(partitionBy), map(), mayStay(), checkpoints);
    }

    private Optional<MapClass> map() {
        String name = reader.value(AllSettings.MAP);
        Path jar = reader.value(AllSettings.MAP_JAR);
        if (name == null) {
            reader.refuse(AllSettings.MAP_JAR, "is for the class of job.map, which is not given");
        }
        boolean jarIsMissing = jar == null && reader.isSet(AllSettings.MAP_JAR);
        if (name == null || jarIsMissing) {
            return Optional.empty();
        }
        try {
            return Optional.of(MapClass.of(name, Optional.ofNullable(jar)));
        } catch (IllegalArgumentException e) {
            reader.fault(AllSettings.MAP.key() + " \"" + name + "\": " + e.getMessage());
            return Optional.empty();
        }
    }

    private static Map<String, String> masked(Map<String, String> effective) {
        Map<String, String> masked = new LinkedHashMap<>(effective);
        masked.computeIfPresent(AllSettings.PASSWORD.key(), (key, secret) -> ConnectionOptions.MASK);
        masked.computeIfPresent(AllSettings.URL.key(), (key, url) -> ConnectionOptions.masked(url));
        return masked;
    }
}
