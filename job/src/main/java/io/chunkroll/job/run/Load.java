package io.chunkroll.job.run;

import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.Settings.Create;
import io.chunkroll.rows.Index;
import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sinks.copy.CopyFilter;
import io.chunkroll.sinks.table.BulkLeftovers;
import io.chunkroll.sinks.table.BulkLoad;
import io.chunkroll.sinks.table.Conflicts;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TableDefinition;
import io.chunkroll.sinks.table.TableMaker;
import io.chunkroll.sinks.table.TableName;
import io.chunkroll.sinks.table.TargetException;
import io.chunkroll.sinks.table.TargetTable;
import io.chunkroll.sinks.tags.TagsTable;
import io.chunkroll.sinks.transaction.PreparedTransactions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.flink.api.connector.source.Source;

/**
 * A load that is ready to run: the table is there, and source and sink agree on the columns.
 *
 * @param settings what was asked for
 * @param source gives the rows
 * @param tagged what the source's rows hold where an id is put in place of their tags; empty where they are as the columns say
 * @param table the table, or empty where rows are discarded
 * @param columns what tuples hold, with the key by which batches are sorted and, if they are divided, rows go to writers
 * @param divided whether rows go to the writer that their key says, not on from where they were read
 * @param conflicts what becomes of rows whose unique key is in the table already
 */
public record Load(
        Settings settings,
        Source<Tuple, ?, ?> source,
        Optional<Tagged> tagged,
        Optional<TargetTable> table,
        TableDescription columns,
        boolean divided,
        Conflicts conflicts) {

    /**
     * Rows that have tags, which belong into a table of their own.
     *
     * @param columns what the source's tuples hold
     * @param table the table of tags
     */
    record Tagged(TableDescription columns, TagsTable table) {}

    /** A load that needs no server. */
    static Load discarding(Settings settings) {
        Input input = Input.of(settings);
        TableDescription all = input.shape()
                .map(Input.Shape::columns)
                .orElseThrow(
                        () -> new TargetException("With sink.kind discard no table tells the types of a file's columns;"
                                + " give the data set that the file holds, such as source.dataset cpu"));
        return of(settings, input, Optional.empty(), Optional.empty(), all);
    }

    /**
     * Makes the table if that is asked for, and fits the source to it.
     *
     * @throws TargetException if the table is missing or does not fit, with what to change
     */
    static Load into(Settings settings, ConnectionOptions server) {
        Input input = Input.of(settings);
        try (Connection connection = server.connect("setup")) {
            limitWaiting(connection);
            Optional<String> prefix = settings.sink().transactionPrefix();
            if (prefix.isPresent()) {
                PreparedTransactions.checkRoom(
                        connection, prefix.get(), settings.job().parallelism());
            }
            TargetTable table = table(settings, input, connection);
            Optional<TagsTable> tags = tagsTable(settings, input, table.name());
            if (tags.isPresent()) {
                prepare(settings, tags.get(), input, connection);
            }
            Load load = of(settings, input, Optional.of(table), tags, table.columns());
            load.filter().check(connection, table, load.columns());
            return load.with(Conflicts.of(
                    connection, table, load.columns(), settings.sink().onConflict()));
        } catch (SQLException e) {
            throw unprepared(settings, e);
        }
    }

    /**
     * Begins a bulk load, where one is asked for.
     *
     * @throws TargetException if the table cannot be loaded so
     */
    Optional<BulkLoad> beginBulk(Optional<ConnectionOptions> server) {
        if (settings.sink().load() != Settings.Load.BULK) {
            return Optional.empty();
        }
        try {
            boolean leavesRowsOut = settings.source().mostRejects().isPresent();
            return Optional.of(BulkLoad.begin(server.orElseThrow(), table.orElseThrow(), leavesRowsOut));
        } catch (SQLException e) {
            throw unprepared(settings, e);
        }
    }

    /** Which rows the server takes. */
    CopyFilter filter() {
        return settings.sink().where().map(CopyFilter::new).orElse(CopyFilter.NONE);
    }

    private Load with(Conflicts other) {
        return new Load(settings, source, tagged, table, columns, divided, other);
    }

    /** What a run of it is about. */
    Subject subject() {
        return new Subject(settings, table);
    }

    private static Optional<TagsTable> tagsTable(Settings settings, Input input, TableName table) {
        Optional<TableName> name = settings.source().tagsTable().map(tags -> new TableName(table.schema(), tags));
        if (name.equals(Optional.of(table))) {
            throw new TargetException("sink.tags-table and sink.table are the same table, " + table + ": name two");
        }
        return name.map(tags -> new TagsTable(tags, input.tags()));
    }

    private static void prepare(Settings settings, TagsTable tags, Input input, Connection connection)
            throws SQLException {
        try {
            if (settings.sink().create() == Create.NEVER) {
                tags.check(connection);
            } else {
                tags.make(connection, settings.sink().create() == Create.RECREATE);
            }
            input.fill(tags, connection);
        } catch (SQLException e) {
            throw new TargetException(
                    "Table " + tags.name() + " (sink.tags-table) cannot be made or filled: "
                            + Failures.oneLine(e.getMessage())
                            + ". Name another, or grant the role of sink.user what it lacks",
                    e);
        }
    }

    /** A transaction that is prepared and never ended holds the table's locks for ever. */
    private static void limitWaiting(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET lock_timeout = '1min'");
        }
    }

    private static TargetException unprepared(Settings settings, SQLException e) {
        String remedy =
                switch (e.getSQLState() == null ? "" : e.getSQLState()) {
                    case "3F000" -> "create the schema, or correct sink.table";
                    case "42501" -> "grant the role of sink.user that right, or set sink.user to another";
                    case "25006" -> "set sink.url to a server and a database that can be written to";
                    case "55P03" ->
                        "another transaction holds its locks; look into pg_stat_activity and, for one that an exactly-once load"
                                + " left, 'chunkroll leftovers'";
                    case "42809" -> "name a table in sink.table, or remove what has that name";
                    default -> "look at sink.table, sink.create and sink.layout";
                };
        return new TargetException(
                "Table " + settings.sink().table() + " (sink.table) cannot be read or made: " + remedy + " ("
                        + Failures.oneLine(e.getMessage()) + ")",
                e);
    }

    private static Load of(
            Settings settings,
            Input input,
            Optional<TargetTable> table,
            Optional<TagsTable> tags,
            TableDescription all) {
        TableDescription keyed = all.withRoles(all.timeColumn(), key(settings, input, all));
        Input.Fitted fitted = input.fit(keyed, settings);
        return new Load(
                settings,
                fitted.source(),
                fitted.tagged().map(in -> new Tagged(in, tags.orElseThrow())),
                table,
                fitted.columns(),
                isDivided(settings, fitted.feedsAll()),
                Conflicts.ERROR);
    }

    private static TargetTable table(Settings settings, Input input, Connection connection) throws SQLException {
        Settings.Sink sink = settings.sink();
        TableName name = TableName.parse(sink.table());
        if (sink.create() == Create.RECREATE) {
            definition(settings, input, name);
            TableMaker.drop(connection, name);
        }
        Optional<TargetTable> found = TargetTable.read(connection, name);
        if (found.isEmpty()) {
            TableMaker.create(connection, name, definition(settings, input, name));
            return TargetTable.read(connection, name).orElseThrow();
        }
        BulkLeftovers.refuse(connection, found.get());
        Optional<Layout> asked = sink.layout();
        if (asked.isPresent() && asked.get() != found.get().layout()) {
            throw new TargetException("Table " + name + " is there and its layout is "
                    + lower(found.get().layout())
                    + ", but sink.layout is " + lower(asked.get())
                    + ": leave sink.layout out, name another sink.table, or drop this one, which sink.create recreate does for"
                    + " a run on this machine");
        }
        return found.get();
    }

    private static TableDefinition definition(Settings settings, Input input, TableName name) {
        Settings.Sink sink = settings.sink();
        if (sink.create() == Create.NEVER) {
            throw new TargetException(
                    "Table " + name + " (sink.table) does not exist and sink.create is never: make it,"
                            + " or set sink.create if-missing");
        }
        Input.Shape shape = input.shape()
                .orElseThrow(() ->
                        new TargetException("Table " + name + " (sink.table) does not exist, and no source.dataset"
                                + " tells what it should look like: make it, or give the data set that the file holds, such as"
                                + " source.dataset cpu"));
        List<Index> indexes = sink.indexes().orElseGet(shape::indexes);
        return new TableDefinition(shape.columns(), sink.layout().orElse(Layout.PLAIN), sink.chunkInterval(), indexes);
    }

    /** @param feedsAll whether every subtask of the source has something to read */
    private static boolean isDivided(Settings settings, boolean feedsAll) {
        Settings.Job job = settings.job();
        return job.partitionBy().isPresent()
                ? !job.partitionBy().get().equals(Settings.Job.NONE)
                : !(job.mayStay() && feedsAll);
    }

    private static int key(Settings settings, Input input, TableDescription all) {
        Optional<String> asked = settings.job().partitionBy();
        boolean none = asked.equals(Optional.of(Settings.Job.NONE));
        if (asked.isPresent() && !none) {
            int key = all.indexOf(asked.get());
            if (key == TableDescription.NONE) {
                throw new TargetException("job.partition-by is " + asked.get() + ", but table "
                        + settings.sink().table() + " has no such column; it has " + all);
            }
            return key;
        }
        if (none && !settings.sink().batch().sorted()) {
            return TableDescription.NONE;
        }
        return input.key().map(all::indexOf).orElse(TableDescription.NONE);
    }

    private static String lower(Layout layout) {
        return layout.name().toLowerCase(Locale.ROOT);
    }
}
