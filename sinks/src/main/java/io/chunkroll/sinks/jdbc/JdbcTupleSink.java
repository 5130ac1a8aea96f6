package io.chunkroll.sinks.jdbc;

import static java.util.stream.Collectors.joining;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sinks.metrics.SinkMetrics;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.PartitionMaker;
import io.chunkroll.sinks.table.TargetTable;
import java.io.IOException;
import java.time.Duration;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.connector.jdbc.JdbcConnectionOptions;
import org.apache.flink.connector.jdbc.JdbcExecutionOptions;
import org.apache.flink.connector.jdbc.core.datastream.sink.JdbcSink;
import org.apache.flink.connector.jdbc.datasource.connections.JdbcConnectionProvider;
import org.apache.flink.connector.jdbc.datasource.connections.SimpleJdbcConnectionProvider;

/**
 * Loads tuples by INSERT through Flink's JDBC connector, with the driver's {@code reWriteBatchedInserts}, so that a batch goes as
 * multi-row statements.
 *
 * <p>At-least-once: what came before a checkpoint is in the table when it passes. The connector tries a failed batch again without
 * asking what became of it, so that a lost connection may double rows.
 */
public final class JdbcTupleSink implements Sink<Tuple> {
    private static final long serialVersionUID = 1L;
    private static final int RETRIES = 3;

    private final JdbcSink<Tuple> connector;
    private final JdbcConnectionProvider connections;
    private final ConnectionOptions connection;
    private final TargetTable table;
    private final int batchRows;
    private final Duration batchAge;
    private final Duration partitionInterval;

    /**
     * @param connection the server
     * @param table the table, as {@link TargetTable#read} found it
     * @param columns those that are loaded, in the order of the tuples
     * @param batchRows rows in a batch, at least 1
     * @param batchAge how long the first row of a batch may wait for others
     * @param partitionInterval the time that a native partition covers, or null where there are none to be made
     */
    public JdbcTupleSink(
            ConnectionOptions connection,
            TargetTable table,
            TableDescription columns,
            int batchRows,
            Duration batchAge,
            Duration partitionInterval) {
        this.connection = connection;
        this.table = table;
        this.batchRows = batchRows;
        this.batchAge = batchAge;
        this.partitionInterval = partitionInterval;
        connections = new SimpleJdbcConnectionProvider(connectorOptions(connection));
        connector = JdbcSink.<Tuple>builder()
                .withQueryStatement(insertSql(table, columns), new TupleBinder(columns))
                .withExecutionOptions(JdbcExecutionOptions.builder()
                        .withBatchSize(batchRows)
                        .withBatchIntervalMs(0)
                        .withMaxRetries(RETRIES)
                        .build())
                .buildAtLeastOnce(connections);
    }

    private static String insertSql(TargetTable table, TableDescription columns) {
        String names = columns.columns().stream()
                .map(column -> table.quote(column.name()))
                .collect(joining(", ", " (", ")"));
        String values = columns.columns().stream().map(column -> "?").collect(joining(", ", " VALUES (", ")"));
        return "INSERT INTO " + table.name().sql() + names + values;
    }

    private static JdbcConnectionOptions connectorOptions(ConnectionOptions connection) {
        var options = new JdbcConnectionOptions.JdbcConnectionOptionsBuilder()
                .withUrl(connection.url())
                .withDriverName("org.postgresql.Driver")
                .withProperty("reWriteBatchedInserts", "true")
                .withProperty("ApplicationName", "chunkroll jdbc");
        if (connection.user() != null) {
            options.withUsername(connection.user());
        }
        if (connection.password() != null) {
            options.withPassword(connection.password());
        }
        return options.build();
    }

    @Override
    public SinkWriter<Tuple> createWriter(WriterInitContext context) throws IOException {
        PartitionMaker partitions = table.layout() == Layout.PARTITIONED && partitionInterval != null
                ? new PartitionMaker(table, partitionInterval)
                : null;
        return new MeteredJdbcWriter(
                new MeteredJdbcWriter.Connector(connector.createWriter(context), connections),
                new MeteredJdbcWriter.Batching(batchRows, batchAge),
                new SinkMetrics(context.metricGroup())
                        .watchingChunks(connection, table, context.getTaskInfo().getIndexOfThisSubtask()),
                context.getProcessingTimeService(),
                partitions == null ? null : new MeteredJdbcWriter.Partitions(connection, partitions));
    }
}
