package io.chunkroll.sinks.table;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.MetricGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows how the target is, as metrics, over a connection and on a thread of its own, so that neither rows nor metric reporters wait for it.
 * One subtask does this for all.
 *
 * <p>Once a second it asks for the place in the write-ahead log, the number of chunks, and who waits for one; for {@link TableSizes} every ten
 * seconds at most. While somebody has locked the table they are the last ones known.
 *
 * <p>What the server does not tell is NaN: while it does not answer, on a standby, or before the first answer. A look that fails is tried again
 * after 1, 2, 4, … up to 30 seconds over a new connection, and never fails the load.
 */
public final class TableWatch implements AutoCloseable {
    /** Chunks or native partitions that there are. Only of tables that have such, as the two that follow. */
    public static final String CHUNKS = "chunks";
    /** When a look first saw the newest of them, in milliseconds since 1970; 0 while all were there before. */
    public static final String LAST_CHUNK_ROLL_TIME = "lastChunkRollTime";
    /** Connections, of whomever, that wait for a lock that making a chunk takes. */
    public static final String CHUNK_WAITS = "chunkWaits";
    /** The end of the server's write-ahead log, in bytes since its begin. */
    public static final String WAL_BYTES = "walBytes";
    /** Bytes of the table on disk, chunks included, indexes not. */
    public static final String TABLE_BYTES = "tableBytes";
    /** Bytes of its indexes on disk. */
    public static final String INDEX_BYTES = "indexBytes";

    private static final Logger LOG = LoggerFactory.getLogger(TableWatch.class);
    private static final String PURPOSE = "watch";
    private static final String LOG_END = """
            SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::bigint END
            """;

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final Duration SIZES_PERIOD = Duration.ofSeconds(10);
    private static final int ANSWER_MILLIS = 30_000;
    private static final Double UNKNOWN = Double.NaN;

    private final ConnectionOptions options;
    private final TargetTable table;
    private final TableSizes sizes;
    private final ScheduledExecutorService thread;
    private Connection connection;
    private Duration pause = PERIOD;
    private boolean silent;
    private long counted = Long.MAX_VALUE;

    private volatile boolean closed;
    private volatile Number chunks = UNKNOWN;
    private volatile Number chunkWaits = UNKNOWN;
    private volatile Number walBytes = UNKNOWN;
    private volatile Number tableBytes = UNKNOWN;
    private volatile Number indexBytes = UNKNOWN;
    private volatile long lastChunkRollTime;

    private TableWatch(ConnectionOptions options, TargetTable table) {
        this.options = options;
        this.table = table;
        sizes = new TableSizes(table, SIZES_PERIOD);
        thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread watching = new Thread(task, "watching " + table.name());
            watching.setDaemon(true);
            return watching;
        });
    }

    /** Starts to watch in the first subtask; empty in all others. */
    public static Optional<TableWatch> start(
            ConnectionOptions options, TargetTable table, int subtask, MetricGroup metrics) {
        if (subtask != 0) {
            return Optional.empty();
        }
        TableWatch watch = new TableWatch(options, table);
        watch.register(metrics);
        watch.next(Duration.ZERO);
        return Optional.of(watch);
    }

    private void register(MetricGroup metrics) {
        metrics.gauge(WAL_BYTES, () -> walBytes);
        metrics.gauge(TABLE_BYTES, () -> tableBytes);
        metrics.gauge(INDEX_BYTES, () -> indexBytes);
        if (Chunk.has(table)) {
            metrics.gauge(CHUNKS, () -> chunks);
            metrics.gauge(CHUNK_WAITS, () -> chunkWaits);
            metrics.gauge(LAST_CHUNK_ROLL_TIME, () -> lastChunkRollTime);
        }
    }

    private void next(Duration when) {
        var unused = thread.schedule(this::look, when.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look() {
        if (closed) {
            return;
        }
        try {
            if (connection == null) {
                connection = options.connect(PURPOSE);
                connection.setNetworkTimeout(Runnable::run, ANSWER_MILLIS);
            }
            ask();
            if (silent) {
                LOG.info("{} can be watched again", table.name());
            }
            silent = false;
            pause = PERIOD;
        } catch (SQLException | RuntimeException e) {
            if (!silent) {
                LOG.warn(
                        "{} cannot be watched, which the load does not depend on; trying on: {}",
                        table.name(),
                        e.getMessage());
            }
            silent = true;
            forget();
            disconnect();
            pause = min(pause.multipliedBy(2), LONGEST_PAUSE);
        } finally {
            next(pause);
        }
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private void ask() throws SQLException {
        walBytes = number(TargetTable.first(connection, LOG_END));
        if (Chunk.has(table)) {
            chunkWaits = ChunkRanges.waiting(connection, table);
            note(Chunk.count(connection, table));
        }
        sizes.look(connection).ifPresent(seen -> {
            tableBytes = seen.table();
            indexBytes = seen.indexes();
        });
    }

    private static Number number(Optional<String> value) {
        return value.<Number>map(Long::valueOf).orElse(UNKNOWN);
    }

    /** One that is dropped while another comes is not told from none; what is there when the watch begins came before. */
    private void note(long count) {
        if (count > counted) {
            lastChunkRollTime = System.currentTimeMillis();
        }
        counted = count;
        chunks = count;
    }

    private void forget() {
        chunks = UNKNOWN;
        chunkWaits = UNKNOWN;
        walBytes = UNKNOWN;
        tableBytes = UNKNOWN;
        indexBytes = UNKNOWN;
        sizes.restart();
    }

    private void disconnect() {
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException e) {
                LOG.debug("Closing", e);
            }
            connection = null;
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.execute(() -> {
            disconnect();
            thread.shutdownNow();
        });
    }
}
