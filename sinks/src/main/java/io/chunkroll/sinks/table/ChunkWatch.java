package io.chunkroll.sinks.table;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.metrics.MetricGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the number of a table's chunks or partitions as the metric {@code chunks}: asked of the catalogue once a second, over a connection
 * and on a thread of its own, so that neither rows nor metric reporters wait for it.
 *
 * <p>One subtask does this for all. While the server does not answer, the number is the last one known.
 */
public final class ChunkWatch implements AutoCloseable {
    /** The metric's name. */
    public static final String CHUNKS = "chunks";

    private static final Logger LOG = LoggerFactory.getLogger(ChunkWatch.class);
    private static final long PERIOD_SECONDS = 1;

    private final ConnectionOptions options;
    private final TargetTable table;
    private final ScheduledExecutorService thread;
    private Connection connection;
    private volatile long chunks;

    private ChunkWatch(ConnectionOptions options, TargetTable table) {
        this.options = options;
        this.table = table;
        thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread watching = new Thread(task, "chunks of " + table.name());
            watching.setDaemon(true);
            return watching;
        });
    }

    /** Starts to watch in the first subtask, if the table has chunks or partitions at all. */
    public static Optional<ChunkWatch> start(
            ConnectionOptions options, TargetTable table, int subtask, MetricGroup metrics) {
        if (subtask != 0 || !Chunk.has(table)) {
            return Optional.empty();
        }
        ChunkWatch watch = new ChunkWatch(options, table);
        metrics.gauge(CHUNKS, () -> watch.chunks);
        var unused = watch.thread.scheduleWithFixedDelay(watch::look, 0, PERIOD_SECONDS, TimeUnit.SECONDS);
        return Optional.of(watch);
    }

    private void look() {
        try {
            if (connection == null) {
                connection = options.connect("chunks");
            }
            chunks = Chunk.count(connection, table);
        } catch (SQLException e) {
            LOG.debug("The chunks of {} could not be counted", table.name(), e);
            disconnect();
        }
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
        thread.execute(this::disconnect);
        thread.shutdown();
    }
}
