package io.chunkroll.sinks.jdbc;

import io.chunkroll.rows.Tuple;
import io.chunkroll.sinks.metrics.SinkMetrics;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.PartitionMaker;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.connector.jdbc.datasource.connections.JdbcConnectionProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flink's JDBC writer with what it lacks: metrics counted after the commit, and a limit to a batch's age.
 *
 * <p>The connector's own interval is off, so that it executes, and commits, a batch in two cases only: within the call that brings the
 * batch's last row, and when it is flushed. Both are calls of this class, which therefore knows when a batch is committed.
 */
final class MeteredJdbcWriter implements SinkWriter<Tuple> {
    private static final Logger LOG = LoggerFactory.getLogger(MeteredJdbcWriter.class);

    /**
     * The connector's writer.
     *
     * @param connections what holds its connection, shared with it
     * @param way whose writer it is and where its batches go, for messages
     */
    record Connector(SinkWriter<Tuple> writer, JdbcConnectionProvider connections, String way) {}

    /** When the connector executes a batch, and when this class makes it. */
    record Batching(int rows, Duration age) {}

    /** Makes native partitions over a connection of their own, opened when the first is needed. */
    static final class Partitions implements AutoCloseable {
        private final ConnectionOptions options;
        private final PartitionMaker maker;
        private Connection connection;

        Partitions(ConnectionOptions options, PartitionMaker maker) {
            this.options = options;
            this.maker = maker;
        }

        private void ensure(long time) throws IOException {
            if (maker.known().cover(time)) {
                return;
            }
            try {
                if (connection == null) {
                    connection = options.connect("partitions");
                }
                maker.ensure(connection, time);
            } catch (SQLException e) {
                throw new IOException("Making a partition failed: " + e.getMessage(), e);
            }
        }

        @Override
        public void close() throws SQLException {
            if (connection != null) {
                connection.close();
            }
        }
    }

    private final Connector connector;
    private final Batching batching;
    private final SinkMetrics metrics;
    private final ProcessingTimeService timers;
    private final Partitions partitions;
    private long batch;
    private int rows;
    private long bytes;

    /** @param partitions makes native partitions, or null where there are none to be made */
    MeteredJdbcWriter(
            Connector connector,
            Batching batching,
            SinkMetrics metrics,
            ProcessingTimeService timers,
            Partitions partitions) {
        this.connector = connector;
        this.batching = batching;
        this.metrics = metrics;
        this.timers = timers;
        this.partitions = partitions;
    }

    @Override
    public void write(Tuple row, Context context) throws IOException, InterruptedException {
        if (partitions != null && row.hasFiniteTime()) {
            partitions.ensure(row.time());
        }
        if (rows == 0) {
            watchAge(batch);
        }
        rows++;
        bytes += row.length();
        if (rows < batching.rows()) {
            connector.writer().write(row, context);
            return;
        }
        long begin = System.nanoTime();
        executing(() -> connector.writer().write(row, context));
        committed(begin);
    }

    // A timer that fails fails the task by itself, and one that comes too late finds another batch.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void watchAge(long number) {
        timers.registerTimer(timers.getCurrentProcessingTime() + batching.age().toMillis(), time -> {
            if (batch == number) {
                flush(false);
            }
        });
    }

    private interface Execution {
        void run() throws IOException, InterruptedException;
    }

    private void executing(Execution execution) throws IOException, InterruptedException {
        try {
            execution.run();
        } catch (IOException | FailFastConnections.RefusedException e) {
            metrics.failed(rows);
            String name =
                    "batch " + (batch + 1) + " of " + connector.way() + " (" + rows + " rows, " + bytes + " bytes)";
            throw InsertException.of(name, e);
        }
    }

    private void committed(long begin) {
        metrics.committed(rows, bytes, System.nanoTime() - begin);
        rows = 0;
        bytes = 0;
        batch++;
    }

    @Override
    public void flush(boolean endOfInput) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        executing(() -> connector.writer().flush(endOfInput));
        if (rows > 0) {
            committed(begin);
        }
        if (endOfInput) {
            metrics.ended();
        }
    }

    /**
     * The connector tries once more here what failed before, fails again, and leaves its connection open. Throws nothing, because Flink ends the whole TaskManager if
     * closing fails after the task did; what was not flushed is not part of any checkpoint, and comes again.
     */
    @Override
    public void close() {
        try (metrics;
                partitions;
                JdbcConnectionProvider ignored = connector.connections()) {
            connector.writer().close();
        } catch (Exception e) {
            LOG.warn("Closing the connector failed: {}", e.getMessage());
        }
    }
}
