package io.chunkroll.sinks.table;

import static java.util.stream.Collectors.joining;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A load into a table whose indexes are built when the rows are there: the table is empty at the beginning and its indexes are taken
 * away, or it is partitioned and the rows go to partitions of their own that are attached at the end.
 *
 * <pre>
 *  begin ──▶ rows come, see {@link BarePartitions} ──▶ loaded ──▶ finish
 *    │                                                               │
 *    └─ a mark in the table's comment, see {@link BulkMark} ─────────┘ whoever finds it there knows what is missing
 * </pre>
 *
 * <p>A load that is going on holds an advisory lock, so that {@link BulkLeftovers} are told from it.
 */
public final class BulkLoad implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BulkLoad.class);

    // An index that is in a tablespace of its own, clustered by or needed for replication is not one of many.
    private static final String INDEXES = """
            SELECT format('%I.%I', n.nspname, c.relname), pg_get_indexdef(i.indexrelid)
            FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE i.indrelid = to_regclass(?) AND NOT (i.indisunique AND ?) AND i.indisvalid AND c.reltablespace = 0
            AND NOT i.indisclustered AND NOT i.indisreplident
            AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
            ORDER BY i.indexrelid
            """;

    private static final String INDEXED_COLUMNS = """
            SELECT a.attname FROM pg_attribute a WHERE a.attrelid = to_regclass(?) AND a.attnum > 0 AND EXISTS
                (SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND a.attnum = ANY (i.indkey)) ORDER BY a.attnum
            """;

    private static final String UNFIT_FOR_PARTITIONS = """
            SELECT 'the trigger ' || tgname FROM pg_trigger WHERE tgrelid = to_regclass(?) AND NOT tgisinternal
            UNION ALL SELECT 'the foreign key ' || conname FROM pg_constraint WHERE conrelid = to_regclass(?) AND contype = 'f'
            UNION ALL SELECT 'the identity column ' || attname FROM pg_attribute WHERE attrelid = to_regclass(?)
                AND attidentity <> '' AND NOT attisdropped
            """;

    /**
     * What was done at the end.
     *
     * @param indexes how many indexes of the table were built
     * @param partitions how many partitions were attached
     * @param partitionRows the rows in these
     */
    public record Finished(int indexes, int partitions, long partitionRows) {}

    private final ConnectionOptions server;
    private final TargetTable table;
    private final Connection connection;

    private BulkLoad(ConnectionOptions server, TargetTable table, Connection connection) {
        this.server = server;
        this.table = table;
        this.connection = connection;
    }

    /**
     * Takes the table's indexes away, but for those of its constraints.
     *
     * @param uniqueFirst whether unique indexes stay, because rows that break them are to be left out
     * @throws TargetException if the table has rows already, or what its partitions could not be given later
     */
    public static BulkLoad begin(ConnectionOptions server, TargetTable table, boolean uniqueFirst) throws SQLException {
        BulkLoad load = open(server, table);
        try {
            load.begin(uniqueFirst);
            return load;
        } catch (SQLException | RuntimeException e) {
            load.close();
            throw e;
        }
    }

    /**
     * Takes up a load that was broken off, to {@link #finish} or {@link #discard} it.
     *
     * @throws TargetException if there is none, or it is going on
     */
    public static BulkLoad resume(ConnectionOptions server, TargetTable table) throws SQLException {
        BulkLoad load = open(server, table);
        try {
            if (!BulkLeftovers.isMarked(load.connection, table.name())) {
                throw new TargetException("No bulk load into table " + table.name() + " was broken off");
            }
            return load;
        } catch (SQLException | RuntimeException e) {
            load.close();
            throw e;
        }
    }

    private static BulkLoad open(ConnectionOptions server, TargetTable table) throws SQLException {
        Connection connection = server.connect("bulk load");
        try {
            if (!BulkLeftovers.lock(connection, table.name(), "pg_try_advisory_lock")) {
                throw BulkLeftovers.running(table.name());
            }
            return new BulkLoad(server, table, connection);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private void begin(boolean uniqueFirst) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET LOCAL lock_timeout = '1min'");
            if (table.layout() == Layout.PARTITIONED) {
                refuseUnfitForPartitions();
                mark(List.of());
            } else {
                statement.execute("LOCK TABLE " + table.name().sql() + " IN ACCESS EXCLUSIVE MODE");
                refuseRows();
                takeIndexesAway(statement, uniqueFirst);
            }
            connection.commit();
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private void refuseUnfitForPartitions() throws SQLException {
        String name = table.name().sql();
        List<String> unfit = TargetTable.all(connection, UNFIT_FOR_PARTITIONS, name, name, name);
        if (!unfit.isEmpty()) {
            throw new TargetException("sink.load bulk cannot be: table " + table.name() + " has " + unfit.get(0)
                    + ", which a partition would get only when its rows are there already. Set sink.load live");
        }
    }

    private void refuseRows() throws SQLException {
        boolean chunks = table.layout() == Layout.HYPERTABLE && Chunk.count(connection, table) > 0;
        if (chunks || !isEmpty(connection)) {
            throw new TargetException("sink.load bulk cannot be: table " + table.name() + " has "
                    + (chunks ? "chunks" : "rows") + " already, and whoever reads them needs its indexes. Set sink.load"
                    + " live, load into another table, or set sink.create recreate, which drops this one");
        }
    }

    private boolean isEmpty(Connection own) throws SQLException {
        return TargetTable.first(own, "SELECT 1 FROM " + table.name().sql() + " LIMIT 1")
                .isEmpty();
    }

    private void takeIndexesAway(Statement statement, boolean uniqueFirst) throws SQLException {
        List<String> names = new ArrayList<>();
        List<String> definitions = new ArrayList<>();
        // So that definitions name schemas, and hold for every search path.
        statement.execute("SET LOCAL search_path = pg_catalog");
        try (PreparedStatement list = connection.prepareStatement(INDEXES)) {
            list.setString(1, table.name().sql());
            list.setBoolean(2, uniqueFirst);
            try (ResultSet row = list.executeQuery()) {
                while (row.next()) {
                    names.add(row.getString(1));
                    definitions.add(row.getString(2));
                }
            }
        }
        statement.execute("SET LOCAL search_path TO DEFAULT");
        mark(definitions);
        for (String name : names) {
            statement.execute("DROP INDEX " + name);
        }
    }

    private void mark(List<String> indexes) throws SQLException {
        String comment = TargetTable.first(
                        connection,
                        "SELECT obj_description(to_regclass(?), 'pg_class')",
                        table.name().sql())
                .orElse(null);
        new BulkMark(false, indexes, comment).write(connection, table.name());
    }

    /**
     * All rows are committed: notes that, builds the indexes, several at once, attaches the partitions, and lets the table be as any other.
     *
     * @param connections how many connections may build at once
     * @param memory bytes that they may take together for sorting; empty for what suits the server
     */
    public Finished finish(int connections, OptionalLong memory) throws SQLException, InterruptedException {
        try (Connection own = server.connect("bulk load")) {
            Optional<BulkMark> found = BulkMark.read(own, table.name());
            BulkMark mark = found.orElse(new BulkMark(false, List.of(), null));
            if (found.isPresent()) {
                new BulkMark(true, mark.indexes(), mark.comment()).write(own, table.name());
            }
            return finish(own, mark, new IndexBuilders(server, connections, memory));
        }
    }

    private Finished finish(Connection own, BulkMark mark, IndexBuilders builders)
            throws SQLException, InterruptedException {
        List<BulkMark.Partition> partitions = BulkMark.partitions(own, table.name());
        List<Long> rows = builders.run(partitions.stream()
                .map(partition -> (IndexBuilders.Task) with -> attach(with, partition))
                .toList());
        builders.run(mark.indexes().stream()
                .map(index -> (IndexBuilders.Task) with -> build(with, index))
                .toList());
        if (table.layout() != Layout.PARTITIONED) {
            builders.run(List.of(with -> analyze(with, table.name())));
        }
        mark.clear(own, table.name());
        return new Finished(
                mark.indexes().size(),
                partitions.size(),
                rows.stream().mapToLong(Long::longValue).sum());
    }

    /** Not if it is there: an earlier attempt may have built it. */
    private static long build(Connection with, String definition) throws SQLException {
        LOG.info("{}", definition);
        return execute(with, definition.replaceFirst(" INDEX ", " INDEX IF NOT EXISTS "));
    }

    private static long execute(Connection with, String sql) throws SQLException {
        try (Statement statement = with.createStatement()) {
            statement.execute(sql);
            return 0;
        }
    }

    /**
     * What decides whether an index is used, so that the table is not read from end to end until the server comes to analyze all of it by
     * itself, which this does not put off.
     */
    private static long analyze(Connection with, TableName name) throws SQLException {
        List<String> columns = TargetTable.all(with, INDEXED_COLUMNS, name.sql());
        return columns.isEmpty()
                ? 0
                : execute(
                        with,
                        "ANALYZE " + name.sql()
                                + columns.stream().map(Identifiers::quote).collect(joining(", ", " (", ")")));
    }

    /** In one transaction: a partition is either as it was loaded, or finished. Returns its rows. */
    private long attach(Connection with, BulkMark.Partition partition) throws SQLException {
        with.setAutoCommit(false);
        TableName name = partition.name();
        List<IndexSql> there = IndexSql.of(with, name);
        for (IndexSql index : IndexSql.of(with, table.name())) {
            if (!there.contains(index)) {
                LOG.info("{}", index.on(name));
                execute(with, index.on(name));
            }
        }
        analyze(with, name);
        long rows = Long.parseLong(
                TargetTable.first(with, "SELECT count(*) FROM " + name.sql()).orElseThrow());
        BarePartitions.attach(with, table.name(), partition);
        execute(with, "ALTER TABLE " + name.sql() + " DROP CONSTRAINT " + BarePartitions.RANGE);
        BulkMark.comment(with, name, null);
        with.commit();
        return rows;
    }

    /** Removes the rows of a load that was broken off, and makes the table what it was before. */
    public Finished discard() throws SQLException, InterruptedException {
        BulkMark.drop(connection, BulkMark.partitions(connection, table.name()));
        if (table.layout() != Layout.PARTITIONED) {
            execute(connection, "TRUNCATE " + table.name().sql());
        }
        return finish(1, OptionalLong.empty());
    }

    /**
     * Of a load that came to no good end: makes the table what it was before if nothing was committed.
     *
     * @return what is there, and how to go on
     */
    public String endEarly() {
        try (Connection own = server.connect("bulk load")) {
            boolean nothing = table.layout() == Layout.PARTITIONED || isEmpty(own);
            if (nothing && BulkMark.partitions(own, table.name()).isEmpty()) {
                finish(1, OptionalLong.empty());
                return "Nothing of the bulk load is left to be finished: table " + table.name() + " has its indexes";
            }
            return BulkLeftovers.words(own, table.name());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "'chunkroll leftovers' shows what the bulk load has left";
        } catch (SQLException e) {
            LOG.info("The table could not be looked at: {}", e.getMessage());
            return "'chunkroll leftovers' shows what the bulk load has left";
        }
    }

    /** Lets the table go. */
    @Override
    public void close() {
        try (Connection closing = connection) {
            // By hand: the server takes its time to see that the connection is closed.
            BulkLeftovers.lock(closing, table.name(), "pg_advisory_unlock");
        } catch (SQLException e) {
            LOG.debug("Closing", e);
        }
    }
}
