package io.chunkroll.job.settings;

import io.chunkroll.job.map.MapClass;
import io.chunkroll.job.settings.SettingsAssembly.Place;
import io.chunkroll.rows.Index;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.OnConflict;
import io.chunkroll.sources.csv.CsvOptions;
import io.chunkroll.sources.fleet.DataSet;
import io.chunkroll.sources.fleet.FleetOptions;
import io.chunkroll.sources.tsbs.TsbsOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * All that a load is told, checked.
 *
 * @param source where rows come from
 * @param sink where they go
 * @param job how the two are joined
 * @param server settings of the embedded PostgreSQL, by its own names
 * @param runDir the run folder, if it is chosen
 * @param watchAfter how long, at most, the server is watched after the load; zero for not at all
 * @param rejectsDir the folder for rejects, if it is chosen: a path, or a URI of a file system that Flink knows
 * @param live where the report is served while the load goes on, not looked up yet; empty for nowhere
 * @param texts the text of every setting that has one, defaults too, secrets masked
 */
public record Settings(
        Source source,
        Sink sink,
        Job job,
        Map<String, String> server,
        Optional<Path> runDir,
        Duration watchAfter,
        Optional<String> rejectsDir,
        Optional<InetSocketAddress> live,
        Map<String, String> texts) {
    /** Where rows come from. */
    public enum SourceKind {
        GENERATED,
        CSV,
        TSBS
    }

    /** How rows are loaded. */
    public enum SinkKind {
        COPY,
        JDBC,
        DISCARD
    }

    /** Whether the table is made. */
    public enum Create {
        IF_MISSING,
        RECREATE,
        NEVER
    }

    /** What a failure of the job may do to rows. */
    public enum Guarantee {
        AT_LEAST_ONCE,
        EXACTLY_ONCE
    }

    /** Whether indexes are there while rows come. */
    public enum Load {
        LIVE,
        BULK
    }

    /**
     * The source's part.
     *
     * @param dataset what is generated, and which table is made; empty for files whose table is there
     * @param fleet for generated rows
     * @param csv for CSV files
     * @param tsbs for files of TSBS
     * @param tagsTable the table of tags, in the schema of the table itself, to which rows refer; empty where they do not
     * @param mostRejects more rejected rows than this fail the run; {@code Long.MAX_VALUE} where any number will do, empty where one does
     */
    public record Source(
            SourceKind kind,
            Optional<DataSet> dataset,
            Optional<FleetOptions> fleet,
            Optional<CsvOptions> csv,
            Optional<TsbsOptions> tsbs,
            Optional<String> tagsTable,
            OptionalLong mostRejects) {}

    /**
     * The sink's part.
     *
     * @param server the server given, empty for the embedded one
     * @param table the table's name as given or by the data set
     * @param layout the layout asked for, empty to take what is there
     * @param indexes those asked for, empty for the data set's own
     * @param chunksAhead whether chunks are made before the batch that needs them
     * @param transactionPrefix the load's name in its prepared transactions; empty for at-least-once, which has none
     * @param where which rows are loaded, as an SQL expression; empty for all
     * @param load whether indexes are there while rows come
     * @param indexMemory bytes for sorting the indexes of a bulk load; empty for what suits the server
     */
    public record Sink(
            SinkKind kind,
            Optional<ConnectionOptions> server,
            String table,
            Create create,
            Optional<Layout> layout,
            Duration chunkInterval,
            Optional<List<Index>> indexes,
            Batch batch,
            OnConflict onConflict,
            boolean chunksAhead,
            Optional<String> transactionPrefix,
            Optional<String> where,
            Load load,
            OptionalLong indexMemory) {}

    /**
     * When a batch is sent, and how.
     *
     * @param rows empty for as many as the devices ask for
     */
    public record Batch(OptionalInt rows, long bytes, Duration age, boolean sorted, Duration retryFor) {}

    /**
     * How source and sink are joined.
     *
     * @param partitionBy the column by which rows are divided, {@code none}, or empty for the data set's own
     * @param map the user's function between the two
     * @param mayStay whether, where {@code partitionBy} is empty, rows rather stay with their readers, if each subtask has something to read
     */
    public record Job(
            int parallelism,
            Optional<String> partitionBy,
            Optional<MapClass> map,
            boolean mayStay,
            Duration checkpointInterval) {
        /** The word for no partitioning at all. */
        public static final String NONE = "none";
    }

    /**
     * Reads {@code --key value} and {@code --config FILE} of a load that runs on this machine alone.
     *
     * <p>Its rows may stay with the subtask that reads them, see {@link Job#mayStay}. Its transactions have another prefix by default than those of a cluster's load into the same table: a run here rolls back what
     * an earlier one left, because nobody goes on from its checkpoints, but from a cluster's somebody will.
     */
    public static Settings ofLocalRun(List<String> arguments) {
        List<String> faults = new ArrayList<>();
        Map<String, String> texts = SettingTexts.of(arguments, faults);
        return new SettingsAssembly(texts, faults, Place.HERE).settings();
    }

    /** Likewise, from texts by key. */
    public static Settings ofLocalRun(Map<String, String> texts) {
        return new SettingsAssembly(texts, List.of(), Place.HERE).settings();
    }

    /** Reads {@code --key value} and {@code --config FILE}; see {@link #of(Map)}. */
    public static Settings of(List<String> arguments) {
        List<String> faults = new ArrayList<>();
        Map<String, String> texts = SettingTexts.of(arguments, faults);
        return new SettingsAssembly(texts, faults, Place.ANY).settings();
    }

    /**
     * Reads settings from their texts.
     *
     * @throws SettingsException with every fault there is
     */
    public static Settings of(Map<String, String> texts) {
        return new SettingsAssembly(texts, List.of(), Place.ANY).settings();
    }

    /** Reads {@code --key value} and {@code --config FILE} of a load on a cluster; see {@link #ofClusterLoad(Map, List)}. */
    public static Settings ofClusterLoad(List<String> arguments) {
        List<String> faults = new ArrayList<>();
        return ofClusterLoad(SettingTexts.of(arguments, faults), faults);
    }

    /**
     * Reads the settings of a load on a cluster, and refuses what is right on one machine only.
     *
     * @param faults those found already
     * @throws SettingsException with every fault there is
     */
    public static Settings ofClusterLoad(Map<String, String> texts, List<String> faults) {
        return new SettingsAssembly(texts, faults, Place.CLUSTER).settings();
    }

    /**
     * Reads what a command needs that looks at a load's server: how to reach it, and the load's transaction prefix if one is given.
     *
     * @throws SettingsException for any other setting
     */
    public static Settings serverOfLoad(List<String> arguments) {
        List<String> faults = new ArrayList<>();
        Map<String, String> texts = new LinkedHashMap<>(SettingTexts.of(arguments, faults));
        List<String> known = AllSettings.server().stream().map(Setting::key).toList();
        refuseOthers(texts, known::contains, "only " + String.join(", ", known) + " have a meaning here", faults);
        if (texts.containsKey(AllSettings.TRANSACTION_PREFIX.key())) {
            texts.put(AllSettings.GUARANTEE.key(), Setting.spelling(Guarantee.EXACTLY_ONCE));
        }
        return new SettingsAssembly(texts, faults, Place.ANY).settings();
    }

    private static void refuseOthers(
            Map<String, String> texts, Predicate<String> known, String reason, List<String> faults) {
        texts.keySet().stream()
                .filter(known.negate())
                .map(key -> key + ": " + reason)
                .forEach(faults::add);
        if (!faults.isEmpty()) {
            throw new SettingsException(faults);
        }
    }

    /**
     * Reads settings of the embedded server alone.
     *
     * @return PostgreSQL's settings by its own names
     * @throws SettingsException for any other setting
     */
    public static Map<String, String> serverOf(List<String> arguments) {
        List<String> faults = new ArrayList<>();
        Map<String, String> texts = SettingTexts.of(arguments, faults);
        refuseOthers(
                texts,
                key -> key.startsWith(AllSettings.SERVER_PREFIX),
                "only settings of the server have a meaning here: --server.NAME value",
                faults);
        return new SettingsAssembly(texts, faults, Place.ANY).settings().server();
    }
}
