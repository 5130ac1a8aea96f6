package io.chunkroll.job.settings;

import io.chunkroll.job.map.MapClass;
import io.chunkroll.job.settings.Settings.Batch;
import io.chunkroll.job.settings.Settings.Create;
import io.chunkroll.job.settings.Settings.Guarantee;
import io.chunkroll.job.settings.Settings.Job;
import io.chunkroll.job.settings.Settings.Load;
import io.chunkroll.job.settings.Settings.Sink;
import io.chunkroll.job.settings.Settings.SinkKind;
import io.chunkroll.job.settings.Settings.Source;
import io.chunkroll.job.settings.Settings.SourceKind;
import io.chunkroll.rows.Index;
import io.chunkroll.rows.ParseOptions;
import io.chunkroll.server.PostgresServer;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.OnConflict;
import io.chunkroll.sinks.transaction.TransactionId;
import io.chunkroll.sources.csv.CsvDialect;
import io.chunkroll.sources.csv.CsvOptions;
import io.chunkroll.sources.files.SourceException;
import io.chunkroll.sources.fleet.DataSet;
import io.chunkroll.sources.fleet.DataSets;
import io.chunkroll.sources.fleet.FleetOptions;
import io.chunkroll.sources.fleet.TagPlace;
import io.chunkroll.sources.tsbs.TsbsOptions;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.flink.util.TimeUtils;

/** Puts {@link Settings} together, and checks what single values cannot tell: whether they go together. */
final class SettingsAssembly {
    private static final String PASSWORD_VARIABLE = "CHUNKROLL_PASSWORD";
    private static final String LOCAL_PREFIX = "local-";
    private static final String REJECT_ONLY = "has a meaning only with source.on-bad-row reject";

    private final SettingsReader reader;
    private final boolean local;

    /** @param faults those found already */
    SettingsAssembly(Map<String, String> texts, List<String> faults) {
        this(texts, faults, false);
    }

    /** @param local whether the load runs on this machine alone */
    SettingsAssembly(Map<String, String> texts, List<String> faults, boolean local) {
        this.local = local;
        reader = new SettingsReader(texts);
        faults.forEach(reader::fault);
    }

    Settings settings() {
        SourceKind kind = reader.value(AllSettings.SOURCE_KIND);
        Optional<DataSet> dataset = dataset(kind);
        Optional<FleetOptions> fleet = fleet(kind, dataset);
        Optional<CsvOptions> csv = csv(kind);
        Optional<TsbsOptions> tsbs = tsbs(kind);
        Source source = new Source(kind, dataset, fleet, csv, tsbs, tagsTable(kind, dataset), mostRejects());
        Sink sink = sink(tableName(kind, dataset));
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

    private Optional<DataSet> dataset(SourceKind kind) {
        DataSetAssembly assembly = new DataSetAssembly(reader);
        DataSet named = reader.value(AllSettings.DATASET);
        if (kind == SourceKind.TSBS) {
            reader.refuse(
                    AllSettings.DATASET,
                    "is not for source.kind tsbs, whose files tell by their header what they hold");
            assembly.refuseAllButTags();
            return Optional.empty();
        }
        if (named == null && kind != SourceKind.GENERATED) {
            assembly.refuseAll();
            return Optional.empty();
        }
        DataSet dataset = assembly.dataset(named == null ? DataSets.CPU : named);
        reader.byDefault(
                AllSettings.CHUNK_INTERVAL,
                TimeUtils.formatWithHighestUnit(dataset.defaults().chunkInterval()));
        return Optional.of(dataset);
    }

    private Optional<FleetOptions> fleet(SourceKind kind, Optional<DataSet> dataset) {
        if (kind != SourceKind.GENERATED) {
            AllSettings.fleet()
                    .forEach(setting -> reader.refuse(
                            setting, "is for source.kind generated, but source.kind is " + Setting.spelling(kind)));
            return Optional.empty();
        }
        return dataset.flatMap(new FleetAssembly(reader, local)::fleet);
    }

    private Optional<CsvOptions> csv(SourceKind kind) {
        if (kind == SourceKind.GENERATED) {
            reader.refuse(AllSettings.SOURCE_PATH, "is for source.kind csv or tsbs, but source.kind is generated");
        }
        if (kind != SourceKind.CSV) {
            AllSettings.csv()
                    .forEach(setting -> reader.refuse(
                            setting, "is for source.kind csv, but source.kind is " + Setting.spelling(kind)));
            return Optional.empty();
        }
        String path = path(kind);
        CsvOptions.Header header = reader.value(AllSettings.CSV_HEADER);
        List<String> columns = reader.value(AllSettings.CSV_COLUMNS);
        CsvOptions.OnBadRow onBadRow = reader.value(AllSettings.ON_BAD_ROW);
        CsvOptions.QuotedNewlines quotedNewlines = reader.value(AllSettings.CSV_QUOTED_NEWLINES);
        ZoneId zone = reader.value(AllSettings.CSV_TIME_ZONE);
        String timeFormat = reader.value(AllSettings.CSV_TIME_FORMAT);
        CsvDialect dialect = dialect();
        if (Stream.of(path, header, columns, onBadRow, quotedNewlines, zone, timeFormat, dialect)
                .anyMatch(v -> v == null)) {
            return Optional.empty();
        }
        return Optional.of(new CsvOptions(
                path, dialect, header, columns, new ParseOptions(zone, timeFormat), onBadRow, quotedNewlines));
    }

    /** Null after a fault. */
    private String path(SourceKind kind) {
        String path = reader.value(AllSettings.SOURCE_PATH);
        if (path == null && !reader.isSet(AllSettings.SOURCE_PATH)) {
            reader.fault(
                    "source.path: source.kind " + Setting.spelling(kind) + " needs a file, a folder or a glob to read");
        }
        return path;
    }

    private Optional<TsbsOptions> tsbs(SourceKind kind) {
        if (kind != SourceKind.TSBS) {
            reader.refuse(
                    AllSettings.MEASUREMENT, "is for source.kind tsbs, but source.kind is " + Setting.spelling(kind));
            return Optional.empty();
        }
        String path = path(kind);
        String measurement = reader.value(AllSettings.MEASUREMENT);
        boolean rejects = reader.value(AllSettings.ON_BAD_ROW) == CsvOptions.OnBadRow.REJECT;
        return path == null
                ? Optional.empty()
                : Optional.of(new TsbsOptions(path, measurement == null ? "" : measurement, rejects));
    }

    /** The table of tags, if rows refer to one. */
    private Optional<String> tagsTable(SourceKind kind, Optional<DataSet> dataset) {
        boolean refers =
                switch (kind) {
                    case TSBS -> reader.value(AllSettings.TAGS) == TagPlace.TABLE;
                    case GENERATED -> dataset.flatMap(DataSet::tags).isPresent();
                    case CSV -> false;
                };
        if (!refers) {
            reader.refuse(
                    AllSettings.TAGS_TABLE,
                    "is for generated rows of tsbs-cpu and files of TSBS with source.tags table");
        }
        String name = reader.value(AllSettings.TAGS_TABLE);
        return refers && reader.value(AllSettings.SINK_KIND) != SinkKind.DISCARD
                ? Optional.ofNullable(name)
                : Optional.empty();
    }

    /** What the table is called where nobody chose a name; empty where nothing tells. */
    private Optional<String> tableName(SourceKind kind, Optional<DataSet> dataset) {
        if (kind == SourceKind.TSBS) {
            String measurement = reader.value(AllSettings.MEASUREMENT);
            return Optional.of(measurement == null ? TsbsOptions.USUAL_MEASUREMENT : measurement);
        }
        return dataset.map(DataSet::tableName);
    }

    /** Empty where bad rows fail the load. */
    private OptionalLong mostRejects() {
        Long most = reader.value(AllSettings.MAX_BAD_ROWS);
        if (reader.value(AllSettings.ON_BAD_ROW) != CsvOptions.OnBadRow.REJECT) {
            reader.refuse(AllSettings.MAX_BAD_ROWS, REJECT_ONLY);
            return OptionalLong.empty();
        }
        return OptionalLong.of(most == null ? Long.MAX_VALUE : most);
    }

    /** Null after a fault. */
    private CsvDialect dialect() {
        Character delimiter = reader.value(AllSettings.CSV_DELIMITER);
        Character quote = reader.value(AllSettings.CSV_QUOTE);
        Character escape = reader.value(AllSettings.CSV_ESCAPE);
        String nullText = reader.value(AllSettings.CSV_NULL);
        if (delimiter == null || quote == null || (escape == null && reader.isSet(AllSettings.CSV_ESCAPE))) {
            return null;
        }
        try {
            return new CsvDialect(delimiter, quote, escape == null ? quote : escape, nullText);
        } catch (SourceException e) {
            reader.fault(e.getMessage());
            return null;
        }
    }

    private Sink sink(Optional<String> usualTable) {
        SinkKind kind = reader.value(AllSettings.SINK_KIND);
        String table = reader.value(AllSettings.TABLE);
        if (table == null && usualTable.isEmpty()) {
            reader.fault("sink.table: is needed where no source.dataset names one");
        }
        Create create = reader.value(AllSettings.CREATE);
        if (create == Create.NEVER) {
            List.of(AllSettings.CHUNK_INTERVAL, AllSettings.INDEXES)
                    .forEach(
                            setting -> reader.refuse(setting, "is for a table that is made, but sink.create is never"));
        }
        Layout layout = reader.value(AllSettings.LAYOUT);
        Duration chunkInterval = reader.value(AllSettings.CHUNK_INTERVAL);
        if (layout == Layout.PARTITIONED && chunkInterval != null && chunkInterval.toNanosPart() != 0) {
            reader.fault("sink.chunk-interval: native partitions cover whole seconds");
        }
        String indexes = reader.value(AllSettings.INDEXES);
        if (kind == SinkKind.DISCARD) {
            reader.refuse(AllSettings.ON_CONFLICT, "is for a table, but sink.kind is discard");
        }
        Load load = reader.value(AllSettings.LOAD);
        if (load == Load.BULK) {
            checkBulk(kind);
        }
        if (kind != SinkKind.COPY) {
            reader.refuse(AllSettings.WHERE, "is for sink.kind copy; job.map can leave out rows before any sink");
        }
        Batch batch = batch(kind);
        String name = table == null ? usualTable.orElse("") : table;
        Boolean chunksAhead = reader.value(AllSettings.CHUNKS_AHEAD);
        return new Sink(
                kind,
                server(),
                name,
                create,
                Optional.ofNullable(layout),
                chunkInterval,
                indexes == null ? Optional.empty() : indexes(indexes),
                batch,
                reader.value(AllSettings.ON_CONFLICT),
                chunksAhead == null || chunksAhead,
                transactionPrefix(kind, name, chunksAhead),
                Optional.ofNullable(reader.value(AllSettings.WHERE)),
                load,
                indexMemory(load));
    }

    /**
     * The way through Flink's buffers costs as much as parsing. It is worth it where one row may wait for another with its key, and on a
     * cluster, whose many writers share a fleet out.
     */
    private boolean mayStay() {
        return local
                && reader.value(AllSettings.SINK_KIND) != SinkKind.JDBC
                && reader.value(AllSettings.ON_CONFLICT) == OnConflict.ERROR
                && reader.value(AllSettings.GUARANTEE) == Guarantee.AT_LEAST_ONCE;
    }

    private OptionalLong indexMemory(Load load) {
        if (load != Load.BULK) {
            reader.refuse(AllSettings.INDEX_MEMORY, "has a meaning only with sink.load bulk");
        }
        OptionalLong memory = reader.value(AllSettings.INDEX_MEMORY);
        return memory == null ? OptionalLong.empty() : memory;
    }

    private void checkBulk(SinkKind kind) {
        if (kind != SinkKind.COPY) {
            reader.refuse(AllSettings.LOAD, "bulk is for sink.kind copy");
        }
        OnConflict onConflict = reader.value(AllSettings.ON_CONFLICT);
        if (onConflict != OnConflict.ERROR) {
            reader.refuse(
                    AllSettings.ON_CONFLICT,
                    "needs a unique index while rows come, which sink.load bulk builds when they are there; set sink.load live");
        }
        if (Boolean.FALSE.equals(reader.value(AllSettings.CHUNKS_AHEAD))) {
            reader.fault(
                    "sink.chunks-ahead: must be true with sink.load bulk, which makes native partitions of its own");
        }
        // Rows are sorted and divided by device for the sake of an index that is there.
        reader.byDefault(AllSettings.SORT, "false");
        if (Boolean.FALSE.equals(reader.value(AllSettings.SORT))) {
            reader.byDefault(AllSettings.PARTITION_BY, Job.NONE);
        }
    }

    /** Empty for at-least-once. */
    private Optional<String> transactionPrefix(SinkKind kind, String table, Boolean chunksAhead) {
        String prefix = reader.value(AllSettings.TRANSACTION_PREFIX);
        if (reader.value(AllSettings.GUARANTEE) != Guarantee.EXACTLY_ONCE) {
            reader.refuse(AllSettings.TRANSACTION_PREFIX, "has a meaning only with sink.guarantee exactly-once");
            return Optional.empty();
        }
        if (kind == SinkKind.DISCARD) {
            reader.refuse(AllSettings.GUARANTEE, "has no meaning with sink.kind discard");
        }
        if (kind == SinkKind.JDBC) {
            reader.refuse(
                    AllSettings.GUARANTEE,
                    "exactly-once is for sink.kind copy: in Flink's JDBC sink it can fail at the end of its input, cannot be"
                            + " scaled down, and leaves prepared transactions behind");
        }
        OnConflict onConflict = reader.value(AllSettings.ON_CONFLICT);
        if (onConflict == OnConflict.SKIP || onConflict == OnConflict.REPLACE) {
            reader.fault(
                    "sink.on-conflict: skip and replace go through a temporary table, which a prepared transaction of"
                            + " sink.guarantee exactly-once must not touch. With a unique key they leave every row once at-least-once"
                            + " already");
        }
        if (Boolean.FALSE.equals(chunksAhead)) {
            reader.fault(
                    "sink.chunks-ahead: must be true with sink.guarantee exactly-once; a chunk made in a transaction"
                            + " that stays open to the next checkpoint holds up every other writer");
        }
        return Optional.of(prefix == null ? TransactionId.prefixOf((local ? LOCAL_PREFIX : "") + table) : prefix);
    }

    private Optional<ConnectionOptions> server() {
        String url = reader.value(AllSettings.URL);
        String user = reader.value(AllSettings.USER);
        String password = reader.value(AllSettings.PASSWORD);
        if (url == null) {
            List.of(AllSettings.USER, AllSettings.PASSWORD)
                    .forEach(setting -> reader.refuse(setting, "is for the server of sink.url, which is not given"));
            return Optional.empty();
        }
        String secret = password == null ? System.getenv(PASSWORD_VARIABLE) : password;
        return Optional.of(new ConnectionOptions(url, user, secret));
    }

    private Batch batch(SinkKind kind) {
        if (kind == SinkKind.JDBC) {
            List.of(AllSettings.SORT, AllSettings.BATCH_BYTES, AllSettings.RETRY_FOR, AllSettings.CHUNKS_AHEAD)
                    .forEach(setting ->
                            reader.refuse(setting, "is for sink.kind copy; Flink's JDBC sink does not have it"));
        }
        OptionalInt rows = reader.value(AllSettings.BATCH_ROWS);
        Long bytes = reader.value(AllSettings.BATCH_BYTES);
        Duration age = reader.value(AllSettings.BATCH_AGE);
        Boolean sorted = reader.value(AllSettings.SORT);
        Duration retryFor = reader.value(AllSettings.RETRY_FOR);
        if (rows == null || bytes == null || age == null || sorted == null || retryFor == null) {
            return null;
        }
        return new Batch(rows, bytes, age, sorted, retryFor);
    }

    /** Empty for the data set's own. */
    private Optional<List<Index>> indexes(String text) {
        if (text.equals("default")) {
            return Optional.empty();
        }
        if (text.equals("none")) {
            return Optional.of(List.of());
        }
        try {
            return Optional.of(Stream.of(text.split(";")).map(Index::parse).toList());
        } catch (IllegalArgumentException e) {
            reader.fault("sink.indexes: " + e.getMessage());
            return Optional.empty();
        }
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
