package io.chunkroll.job.settings;

import io.chunkroll.job.settings.Settings.Batch;
import io.chunkroll.job.settings.Settings.Create;
import io.chunkroll.job.settings.Settings.Guarantee;
import io.chunkroll.job.settings.Settings.Job;
import io.chunkroll.job.settings.Settings.Load;
import io.chunkroll.job.settings.Settings.Sink;
import io.chunkroll.job.settings.Settings.SinkKind;
import io.chunkroll.rows.Index;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.OnConflict;
import io.chunkroll.sinks.transaction.TransactionId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Puts together where rows go and how. */
final class SinkAssembly {
    private static final String PASSWORD_VARIABLE = "CHUNKROLL_PASSWORD";
    private static final String LOCAL_PREFIX = "local-";

    private final SettingsReader reader;
    private final boolean here;

    /** @param here whether the load runs on this machine alone */
    SinkAssembly(SettingsReader reader, boolean here) {
        this.reader = reader;
        this.here = here;
    }

    /** @param usualTable what the table is called where nobody chose a name; empty where nothing tells */
    Sink sink(Optional<String> usualTable) {
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
        return Optional.of(prefix == null ? TransactionId.prefixOf((here ? LOCAL_PREFIX : "") + table) : prefix);
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
}
