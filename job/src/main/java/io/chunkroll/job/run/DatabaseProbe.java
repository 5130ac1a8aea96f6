package io.chunkroll.job.run;

import io.chunkroll.job.report.ChunkRoll;
import io.chunkroll.sinks.table.Chunk;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.TableSizes;
import io.chunkroll.sinks.table.TargetTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the target through the server's own catalogue: chunks as they come, write-ahead log, sizes.
 *
 * <p>A glance that fails, because the server restarts or a view is not to be read by this role, is an empty one; the run goes on.
 */
final class DatabaseProbe implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseProbe.class);

    /** The run's loop waits for a glance; a server that answers slower has better things to do. */
    private static final int GLANCE_MILLIS = 5_000;

    /** What one glance saw; empty is not measured. */
    record Glance(OptionalLong chunks, OptionalLong walBytes, Sizes sizes) {
        static final Glance NONE = new Glance(OptionalLong.empty(), OptionalLong.empty(), Sizes.NONE);
    }

    /** What the table takes on disk. */
    record Sizes(OptionalLong tableBytes, OptionalLong indexBytes) {
        static final Sizes NONE = new Sizes(OptionalLong.empty(), OptionalLong.empty());

        private static Sizes of(TableSizes.Sizes seen) {
            return new Sizes(OptionalLong.of(seen.table()), OptionalLong.of(seen.indexes()));
        }
    }

    /**
     * A chunk or native partition as it is at the end.
     *
     * @param createdAt by this machine's clock; empty for a partition that was there before, for which PostgreSQL does not know it
     */
    record ChunkFacts(Chunk chunk, Optional<Instant> createdAt, Chunk.Size size) {}

    /** A checkpoint's own records in the log, and those that an idle server writes, are fewer bytes than this: one page. */
    private static final long NEXT_TO_NOTHING = 8 << 10;

    private final ConnectionOptions options;
    private final TargetTable table;
    private final Set<String> known = new HashSet<>();
    private final List<ChunkRoll> rolls = new ArrayList<>();
    private final TableSizes sizes;
    private Connection connection;
    private long chunks;
    private OptionalLong walStart = OptionalLong.empty();
    private Instant start = Instant.now();
    private Duration serverAhead = Duration.ZERO;
    private Optional<String> failure = Optional.empty();

    DatabaseProbe(ConnectionOptions options, TargetTable table) {
        this.options = options;
        this.table = table;
        sizes = new TableSizes(table, Duration.ZERO);
    }

    /** Notes where the log and the chunks stand before the first row, and returns how many rows are there. */
    long begin() throws SQLException {
        open();
        long rows = table.count(connection);
        for (Chunk chunk : Chunk.list(connection, table)) {
            known.add(chunk.name());
        }
        chunks = known.size();
        walStart = wal();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT clock_timestamp()")) {
            row.next();
            serverAhead = Duration.between(Instant.now(), row.getTimestamp(1).toInstant());
        }
        return rows;
    }

    /** From this moment on, elapsed time is counted. */
    void startClock(Instant when) {
        start = when;
    }

    Glance glance() {
        try {
            open();
            connection.setNetworkTimeout(Runnable::run, GLANCE_MILLIS);
            OptionalLong wal = wal();
            long now = Chunk.count(connection, table);
            if (now != chunks) {
                chunks = now;
                noteRolls();
            }
            return new Glance(
                    Chunk.has(table) ? OptionalLong.of(chunks) : OptionalLong.empty(),
                    wal.isPresent() && walStart.isPresent()
                            ? OptionalLong.of(wal.getAsLong() - walStart.getAsLong())
                            : OptionalLong.empty(),
                    sizes.look(connection).map(Sizes::of).orElse(Sizes.NONE));
        } catch (SQLException e) {
            failed("The database could not be looked at", e);
            return Glance.NONE;
        }
    }

    private void failed(String what, SQLException e) {
        LOG.info("{}: {}", what, e.getMessage());
        failure = Optional.of(what + ": " + Failures.oneLine(e.getMessage()));
        close();
    }

    /** Why the last look that failed saw nothing, or not all. */
    Optional<String> failure() {
        return failure;
    }

    private void noteRolls() throws SQLException {
        for (Chunk chunk : Chunk.list(connection, table)) {
            if (known.add(chunk.name())) {
                Instant made = chunk.made().map(time -> time.minus(serverAhead)).orElseGet(Instant::now);
                double elapsed = Math.max(0, Duration.between(start, made).toMillis() / 1_000.0);
                rolls.add(new ChunkRoll(made, elapsed, chunk.name(), chunk.rangeStart(), chunk.rangeEnd()));
            }
        }
    }

    /** The chunks that came since the beginning, in their order. */
    List<ChunkRoll> rolls() {
        return List.copyOf(rolls);
    }

    /** The rows in the table now. Takes as long as it takes. */
    long count() throws SQLException {
        open();
        connection.setNetworkTimeout(Runnable::run, 0);
        return table.count(connection);
    }

    Sizes sizes() {
        try {
            open();
            return new Sizes(
                    OptionalLong.of(table.tableBytes(connection)), OptionalLong.of(table.indexBytes(connection)));
        } catch (SQLException e) {
            failed("The table's size could not be read", e);
            return Sizes.NONE;
        }
    }

    /** Version and settings of the server, by name; what cannot be read is left out. */
    List<String[]> serverFacts() {
        List<String[]> facts = new ArrayList<>();
        try {
            open();
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("""
                            SELECT 'server_version', current_setting('server_version')
                            UNION ALL SELECT 'timescaledb', extversion FROM pg_extension WHERE extname = 'timescaledb'
                            UNION ALL SELECT 'timescaledb.license', current_setting('timescaledb.license', true)
                                WHERE current_setting('timescaledb.license', true) IS NOT NULL
                            UNION ALL (SELECT 'setting.' || name, current_setting(name) FROM pg_settings WHERE name IN
                                ('shared_buffers', 'max_wal_size', 'checkpoint_timeout', 'synchronous_commit', 'wal_level', 'fsync',
                                 'full_page_writes', 'wal_buffers', 'work_mem', 'maintenance_work_mem', 'effective_cache_size',
                                 'max_connections', 'checkpoint_completion_target', 'jit') ORDER BY 1)
                            """)) {
                while (row.next()) {
                    facts.add(new String[] {row.getString(1), row.getString(2)});
                }
            }
        } catch (SQLException e) {
            failed("The server's settings could not be read", e);
        }
        return facts;
    }

    /** The table's indexes and, for a hypertable, the time that its chunks cover, in the server's words. */
    Map<String, List<String>> tableFacts() {
        Map<String, List<String>> facts = new LinkedHashMap<>();
        try {
            open();
            facts.put("indexes", table.indexes(connection));
            if (table.layout() == Layout.HYPERTABLE) {
                facts.put("chunk_interval", table.chunkIntervals(connection));
            }
        } catch (SQLException e) {
            failed("The table's indexes could not be read", e);
        }
        return facts;
    }

    /** The chunks that there are, with their sizes; empty where they could not be read. */
    Optional<List<ChunkFacts>> chunks() {
        try {
            open();
            Map<String, Chunk.Size> sizes = Chunk.sizes(connection, table);
            Map<String, Instant> seen = new HashMap<>();
            rolls.forEach(roll -> seen.put(roll.chunk(), roll.time()));
            return Optional.of(Chunk.list(connection, table).stream()
                    .filter(chunk -> sizes.containsKey(chunk.name()))
                    .map(chunk -> new ChunkFacts(
                            chunk,
                            chunk.made()
                                    .map(time -> time.minus(serverAhead))
                                    .or(() -> Optional.ofNullable(seen.get(chunk.name()))),
                            sizes.get(chunk.name())))
                    .toList());
        } catch (SQLException e) {
            failed("The chunks could not be read", e);
            return Optional.empty();
        }
    }

    /** Where the write-ahead log ends; empty where the server does not tell. */
    OptionalLong logEnd() {
        try {
            open();
            return wal();
        } catch (SQLException e) {
            failed("The end of the log could not be read", e);
            return OptionalLong.empty();
        }
    }

    /**
     * Whether pages changed before that place in the log still wait for a checkpoint: none that began later is complete. False where the
     * server does not tell.
     */
    boolean awaitsCheckpoint(long logPlace) {
        try {
            open();
            connection.setNetworkTimeout(Runnable::run, GLANCE_MILLIS);
            return logPlace
                            - number("SELECT (redo_lsn - '0/0'::pg_lsn)::bigint FROM pg_control_checkpoint()")
                                    .orElseThrow()
                    >= NEXT_TO_NOTHING;
        } catch (SQLException e) {
            failed("The last checkpoint could not be read", e);
            return false;
        }
    }

    private OptionalLong wal() throws SQLException {
        return number("SELECT CASE WHEN pg_is_in_recovery() THEN NULL"
                + " ELSE (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint END");
    }

    private OptionalLong number(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            long value = row.getLong(1);
            return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
        }
    }

    private void open() throws SQLException {
        if (connection == null) {
            connection = options.connect("probe");
        }
    }

    @Override
    public void close() {
        Optional.ofNullable(connection).ifPresent(open -> {
            try {
                open.close();
            } catch (SQLException e) {
                LOG.debug("Closing the probe's connection", e);
            }
        });
        connection = null;
    }
}
