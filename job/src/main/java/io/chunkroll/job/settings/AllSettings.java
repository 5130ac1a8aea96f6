package io.chunkroll.job.settings;

import static io.chunkroll.job.settings.Setting.oneOf;
import static io.chunkroll.job.settings.Setting.spelled;
import static io.chunkroll.job.settings.Setting.wholeNumber;
import static io.chunkroll.job.settings.Setting.withoutDefault;

import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.OnConflict;
import io.chunkroll.sinks.transaction.TransactionId;
import io.chunkroll.sources.csv.CsvDialect;
import io.chunkroll.sources.csv.CsvOptions;
import io.chunkroll.sources.fleet.DataSet;
import io.chunkroll.sources.fleet.DataSets;
import io.chunkroll.sources.fleet.TagPlace;
import io.chunkroll.sources.fleet.ValueType;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Every setting there is, in the order of the help text. */
public final class AllSettings {
    private static final String CPU_START = "2016-01-01T00:00:00Z";

    public static final Setting<Settings.SourceKind> SOURCE_KIND = Setting.of(
            "source.kind",
            "generated",
            spelled(Settings.SourceKind.class),
            "where rows come from",
            oneOf(Settings.SourceKind.class));
    public static final Setting<DataSet> DATASET = withoutDefault(
            "source.dataset",
            String.join(", ", DataSets.names()),
            "what is generated, and which table is made for it (generated rows: cpu)",
            AllSettings::dataset);
    public static final Setting<String> SOURCE_PATH = withoutDefault(
            "source.path", "PATH", "a file, a folder of them, or a glob; gzip and zstd too", Setting::text);
    public static final Setting<Long> ROWS = Setting.of(
            "source.rows",
            "10000000",
            "N",
            "how many rows are generated; 0 = until Ctrl-C",
            wholeNumber(0, Long.MAX_VALUE));
    public static final Setting<Long> DEVICES = Setting.of(
            "source.devices",
            "4000",
            "N",
            "hosts or devices of the generated fleet (wide: 100000; mixed and customer have none)",
            wholeNumber(1, 100_000_000));
    public static final Setting<Instant> START = Setting.of(
            "source.start",
            CPU_START,
            "TIME|now",
            "time of the first generated row; now: when a run on this machine begins",
            AllSettings::start);
    public static final Setting<Duration> INTERVAL = Setting.of(
            "source.interval",
            "10 s",
            "SPAN",
            "time between two rows of a generated device (wide: 1 s), or between two rows (mixed: 1 s, customer: 1 ms)",
            Setting::duration);
    public static final Setting<Long> SEED = Setting.of(
            "source.seed",
            "123",
            "N",
            "decides the generated values; the same seed gives the same rows",
            wholeNumber(Long.MIN_VALUE, Long.MAX_VALUE));
    public static final Setting<OptionalLong> RATE = Setting.of(
            "source.rate",
            "0",
            "N|real-time",
            "generated rows per second over all subtasks; 0 = as fast as it goes; real-time: one a device and interval",
            AllSettings::rate);
    public static final Setting<TagPlace> TAGS = Setting.of(
            "source.tags",
            "table",
            spelled(TagPlace.class),
            "for the data set tsbs-cpu and files of TSBS: whether hosts' tags stand in a table of their own (sink.tags-table) or in columns"
                    + " of each row",
            oneOf(TagPlace.class));
    public static final Setting<Long> COLUMNS =
            Setting.of("source.columns", "10", "N", "for the data set wide: values in a row", wholeNumber(1, 1_600));
    public static final Setting<ValueType> VALUE_TYPE = Setting.of(
            "source.value-type",
            "int",
            spelled(ValueType.class),
            "for the data set wide: what they are; json, array: all in one column",
            oneOf(ValueType.class));
    public static final Setting<Double> DISORDER = Setting.of(
            "source.disorder",
            "0",
            "SHARE",
            "for the data set wide: the share of rows, from 0 to 1, that are late, by up to 24 h",
            Setting::share);
    public static final Setting<Double> NULLS = Setting.of(
            "source.nulls",
            "0",
            "SHARE",
            "for the data set wide: the share of values, from 0 to 1, that are empty",
            Setting::share);
    public static final Setting<CsvOptions.Header> CSV_HEADER = Setting.of(
            "source.csv.header",
            "auto",
            spelled(CsvOptions.Header.class),
            "whether files begin with a line of column names; auto: if that line holds the name of a column",
            oneOf(CsvOptions.Header.class));
    public static final Setting<Character> CSV_DELIMITER =
            Setting.of("source.csv.delimiter", ",", "CHAR|tab", "between two fields", Setting::character);
    public static final Setting<Character> CSV_QUOTE = Setting.of(
            "source.csv.quote",
            "\"",
            "CHAR|none",
            "around a field that holds delimiters or line ends",
            text -> text.equals("none") ? CsvDialect.NO_QUOTE : Setting.character(text));
    public static final Setting<Character> CSV_ESCAPE = withoutDefault(
            "source.csv.escape",
            "CHAR",
            "before a quote within quotes (default: the quote itself)",
            Setting::character);
    public static final Setting<String> CSV_NULL = Setting.of(
            "source.csv.null", "", "TEXT", "an unquoted field that is NULL (default: an empty one)", text -> text);
    public static final Setting<String> CSV_TIME_FORMAT = Setting.of(
            "source.csv.time-format",
            "auto",
            "auto|epoch-s|epoch-ms|epoch-us|epoch-ns|PATTERN",
            "how times are written; auto: ISO 8601; PATTERN: as Java's DateTimeFormatter has it",
            Setting::timeFormat);
    public static final Setting<ZoneId> CSV_TIME_ZONE =
            Setting.of("source.csv.time-zone", "UTC", "ZONE", "zone of times without an offset", Setting::zone);
    public static final Setting<List<String>> CSV_COLUMNS = Setting.of(
            "source.csv.columns",
            "",
            "A,B,…",
            "the table's columns in the order of the file's fields, - for a field to leave out (default: the header,"
                    + " else the table's order)",
            Setting::list);
    public static final Setting<CsvOptions.QuotedNewlines> CSV_QUOTED_NEWLINES = Setting.of(
            "source.csv.quoted-newlines",
            "auto",
            spelled(CsvOptions.QuotedNewlines.class),
            "whether quoted fields hold line ends, so that a file must be read in one piece",
            oneOf(CsvOptions.QuotedNewlines.class));
    public static final Setting<String> MEASUREMENT = withoutDefault(
            "source.tsbs.measurement",
            "NAME",
            "which measurement of TSBS files is loaded; rows of others are passed over (default: the only one)",
            Setting::text);
    public static final Setting<CsvOptions.OnBadRow> ON_BAD_ROW = Setting.of(
            "source.on-bad-row",
            "fail",
            spelled(CsvOptions.OnBadRow.class),
            "what becomes of a row that cannot be read or that the server refuses: the run fails, or the row goes to run.rejects-dir"
                    + " (sink.kind jdbc: what the server refuses always fails the run)",
            oneOf(CsvOptions.OnBadRow.class));
    public static final Setting<Long> MAX_BAD_ROWS = withoutDefault(
            "source.max-bad-rows",
            "N",
            "with on-bad-row reject: more rejects than this fail the run (default: no limit)",
            wholeNumber(0, Long.MAX_VALUE));

    public static final Setting<Settings.SinkKind> SINK_KIND = Setting.of(
            "sink.kind",
            "copy",
            spelled(Settings.SinkKind.class),
            "how rows are loaded: binary COPY, Flink's JDBC sink, or not at all",
            oneOf(Settings.SinkKind.class));
    public static final Setting<String> URL = withoutDefault(
            "sink.url", "jdbc:postgresql://…", "the server (default: the embedded one)", Setting::jdbcUrl);
    public static final Setting<String> USER = withoutDefault("sink.user", "NAME", "the role", Setting::text);
    public static final Setting<String> PASSWORD = withoutDefault(
            "sink.password", "TEXT", "its password; also from CHUNKROLL_PASSWORD or .pgpass", Setting::text);
    public static final Setting<String> TABLE =
            withoutDefault("sink.table", "[SCHEMA.]NAME", "the table (default: the data set's name)", Setting::text);
    public static final Setting<String> TAGS_TABLE = Setting.of(
            "sink.tags-table",
            "tags",
            "NAME",
            "with source.tags table: the table of tags, in the schema of sink.table; it is made, hosts that it lacks are added,"
                    + " and sink.create recreate drops it, too",
            Setting::text);
    public static final Setting<Settings.Create> CREATE = Setting.of(
            "sink.create",
            "if-missing",
            spelled(Settings.Create.class),
            "whether the table is made; recreate drops it first, and is refused on a cluster",
            oneOf(Settings.Create.class));
    public static final Setting<Layout> LAYOUT = withoutDefault(
            "sink.layout",
            spelled(Layout.class),
            "how a table that is made is stored (default: plain)",
            oneOf(Layout.class));
    public static final Setting<Duration> CHUNK_INTERVAL = Setting.of(
            "sink.chunk-interval", "12 h", "SPAN", "time that a chunk or a native partition covers", Setting::duration);
    public static final Setting<String> INDEXES = Setting.of(
            "sink.indexes",
            "default",
            "default|none|\"[unique] A, B desc; C\"",
            "indexes of a table that is made (default: the data set's)",
            Setting::text);
    public static final Setting<OptionalInt> BATCH_ROWS = Setting.of(
            "sink.batch.rows",
            "auto",
            "auto|N",
            "rows in a batch; auto: ten of each partition key that a subtask sees, at least 50,000 (jdbc: 20,000)",
            AllSettings::batchRows);
    public static final Setting<Long> BATCH_BYTES =
            Setting.of("sink.batch.bytes", "32 MB", "SIZE", "encoded bytes in a batch", Setting::bytes);
    public static final Setting<Duration> BATCH_AGE = Setting.of(
            "sink.batch.age", "1 s", "SPAN", "how long the first row of a batch waits for others", Setting::duration);
    public static final Setting<Boolean> SORT = Setting.of(
            "sink.sort",
            "true",
            "true|false",
            "rows sorted by partition key and time within a batch",
            Setting::yesOrNo);
    public static final Setting<Duration> RETRY_FOR = Setting.of(
            "sink.retry-for",
            "2 min",
            "SPAN",
            "how long a batch is tried again after a lost connection or while the server restarts",
            Setting::duration);
    public static final Setting<Settings.Guarantee> GUARANTEE = Setting.of(
            "sink.guarantee",
            "at-least-once",
            spelled(Settings.Guarantee.class),
            "what a failure of the job may do to rows",
            oneOf(Settings.Guarantee.class));
    public static final Setting<String> TRANSACTION_PREFIX = withoutDefault(
            "sink.transaction-prefix",
            "NAME",
            "with exactly-once: the load's name in its prepared transactions, by which a job that comes back finds them"
                    + " (default: the table's name, on this machine local-NAME)",
            AllSettings::transactionPrefix);
    public static final Setting<Boolean> CHUNKS_AHEAD = Setting.of(
            "sink.chunks-ahead",
            "true",
            "true|false",
            "whether chunks are made before the batch that needs them, in short transactions of their own",
            Setting::yesOrNo);
    public static final Setting<OnConflict> ON_CONFLICT = Setting.of(
            "sink.on-conflict",
            "error",
            spelled(OnConflict.class),
            "what becomes of a row whose unique key is there already: the run fails, or the row is left out, or takes the"
                    + " place of the one that is there",
            oneOf(OnConflict.class));
    public static final Setting<String> WHERE = withoutDefault(
            "sink.where",
            "SQL",
            "rows for which this expression over the loaded columns is not true are left out by the server and counted, as in"
                    + " \"usage_user > 50 AND hostname <> 'host_1'\" (sink.kind copy)",
            Setting::text);
    public static final Setting<Settings.Load> LOAD = Setting.of(
            "sink.load",
            "live",
            spelled(Settings.Load.class),
            "whether indexes are there while rows come; bulk: built when all rows are there, for an empty table or new native"
                    + " partitions (sink.sort is then false by default, and job.partition-by none)",
            oneOf(Settings.Load.class));
    public static final Setting<OptionalLong> INDEX_MEMORY = Setting.of(
            "sink.index-memory",
            "auto",
            "auto|SIZE",
            "with sink.load bulk: memory for sorting indexes, over all connections together; auto: a quarter of the server's"
                    + " shared_buffers, at least its maintenance_work_mem for each",
            text -> text.equals("auto") ? OptionalLong.empty() : OptionalLong.of(Setting.bytes(text)));

    public static final Setting<Long> PARALLELISM = withoutDefault(
            "job.parallelism",
            "N",
            "subtasks of the source and of the sink (default: the machine's cores)",
            wholeNumber(1, 128));
    public static final Setting<String> PARTITION_BY = withoutDefault(
            "job.partition-by",
            "COLUMN|none",
            "rows that agree in this column go to the same subtask of the sink; none: rows go on where they were read, and those of a"
                    + " device reach the table in any order (default: the data set's host or device; on one machine none, unless sink.kind is"
                    + " jdbc, sink.guarantee exactly-once, sink.on-conflict skip or replace, or a file must be read in one piece)",
            Setting::text);
    public static final Setting<String> MAP = withoutDefault(
            "job.map",
            "CLASS",
            "a Flink MapFunction<Row, Row> of yours that is given each row, its fields by the columns' names; the row that it returns is"
                    + " loaded, null leaves it out",
            Setting::text);
    public static final Setting<Path> MAP_JAR = withoutDefault(
            "job.map-jar",
            "PATH",
            "the jar with the class of job.map (default: the job's class path; on a cluster put it into lib/ or usrlib/)",
            AllSettings::jar);
    public static final Setting<Duration> CHECKPOINT_INTERVAL =
            Setting.of("job.checkpoint-interval", "10 s", "SPAN", "time between two checkpoints", Setting::duration);
    public static final Setting<Path> RUN_DIR = withoutDefault(
            "run.dir", "DIR", "the run folder (default: runs/<time>-<name>)", text -> Path.of(Setting.text(text)));
    public static final Setting<Duration> WATCH_AFTER = Setting.of(
            "run.watch-after",
            "0 s",
            "SPAN",
            "how long, at most, the server is watched after the load, until it has come to rest; for the embedded server",
            Setting::durationOrNone);
    public static final Setting<String> REJECTS_DIR = withoutDefault(
            "run.rejects-dir",
            "DIR|URI",
            "with on-bad-row reject: the folder for rejects, on any file system that Flink reaches, such as s3://bucket/folder"
                    + " (default: rejects/ in the run folder; on a cluster it must be given, as an absolute path or URI that all"
                    + " machines share)",
            Setting::folder);
    public static final Setting<InetSocketAddress> LIVE = withoutDefault(
            "run.live",
            "PORT|HOST:PORT",
            "serves the report while runs go on, at this port (0: any free one) of this machine alone, or of HOST, which others reach"
                    + " too and where no password is asked; --live is short for it",
            Setting::address);

    /** What follows {@code server.} is a setting of the embedded PostgreSQL. */
    public static final String SERVER_PREFIX = "server.";

    /** The word for the rate of {@link #RATE} at which each row comes when its time has come. */
    static final String REAL_TIME = "real-time";
    /** The word for the time of {@link #START} at which settings are read. */
    static final String NOW = "now";

    private AllSettings() {}

    private static DataSet dataset(String name) {
        return DataSets.named(name)
                .orElseThrow(() -> new IllegalArgumentException("is none of " + String.join(", ", DataSets.names())));
    }

    private static Instant start(String text) {
        return text.equals(NOW) ? Instant.now().truncatedTo(ChronoUnit.SECONDS) : Setting.instant(text);
    }

    /** Empty for real time. */
    private static OptionalLong rate(String text) {
        return text.equals(REAL_TIME)
                ? OptionalLong.empty()
                : OptionalLong.of(wholeNumber(0, Long.MAX_VALUE).parse(text));
    }

    private static OptionalInt batchRows(String text) {
        return text.equals("auto")
                ? OptionalInt.empty()
                : OptionalInt.of(Math.toIntExact(wholeNumber(1, 10_000_000).parse(text)));
    }

    private static String transactionPrefix(String text) {
        if (!TransactionId.isPrefix(text)) {
            throw new IllegalArgumentException("has up to 100 letters, digits, underscores, dots and hyphens");
        }
        return text;
    }

    private static Path jar(String text) {
        Path path = Path.of(Setting.text(text));
        if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
            throw new IllegalArgumentException("is no file that can be read");
        }
        return path;
    }

    /** All of them, sources first. */
    public static List<Setting<?>> list() {
        return Stream.of(source(), sink(), job()).flatMap(List::stream).toList();
    }

    /** Those of {@code source.…}. */
    public static List<Setting<?>> source() {
        return Stream.of(
                        List.<Setting<?>>of(SOURCE_KIND, DATASET),
                        shape(),
                        fleet(),
                        List.<Setting<?>>of(SOURCE_PATH),
                        csv(),
                        List.<Setting<?>>of(MEASUREMENT, ON_BAD_ROW, MAX_BAD_ROWS))
                .flatMap(List::stream)
                .toList();
    }

    /** Those that say what is generated. */
    public static List<Setting<?>> fleet() {
        return List.of(ROWS, DEVICES, START, INTERVAL, SEED, RATE, DISORDER, NULLS);
    }

    /** Those that say what the table of a data set looks like. */
    public static List<Setting<?>> shape() {
        return List.of(TAGS, COLUMNS, VALUE_TYPE);
    }

    /** Those that say how CSV files are read. */
    public static List<Setting<?>> csv() {
        return List.of(
                CSV_HEADER,
                CSV_DELIMITER,
                CSV_QUOTE,
                CSV_ESCAPE,
                CSV_NULL,
                CSV_TIME_FORMAT,
                CSV_TIME_ZONE,
                CSV_COLUMNS,
                CSV_QUOTED_NEWLINES);
    }

    /** Those that say how to reach the server, and which load's work there is meant. */
    public static List<Setting<?>> server() {
        return List.of(URL, USER, PASSWORD, TABLE, TRANSACTION_PREFIX);
    }

    private static List<Setting<?>> sink() {
        return List.of(
                SINK_KIND,
                URL,
                USER,
                PASSWORD,
                TABLE,
                TAGS_TABLE,
                CREATE,
                LAYOUT,
                CHUNK_INTERVAL,
                INDEXES,
                BATCH_ROWS,
                BATCH_BYTES,
                BATCH_AGE,
                SORT,
                RETRY_FOR,
                GUARANTEE,
                TRANSACTION_PREFIX,
                CHUNKS_AHEAD,
                ON_CONFLICT,
                WHERE,
                LOAD,
                INDEX_MEMORY);
    }

    private static List<Setting<?>> job() {
        return List.of(
                PARALLELISM, PARTITION_BY, MAP, MAP_JAR, CHECKPOINT_INTERVAL, RUN_DIR, WATCH_AFTER, REJECTS_DIR, LIVE);
    }
}
