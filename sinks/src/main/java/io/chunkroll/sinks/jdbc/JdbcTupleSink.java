package io.chunkroll.sinks.jdbc;

import static java.util.stream.Collectors.joining;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import io.chunkroll.sinks.metrics.SinkMetrics;
import io.chunkroll.sinks.table.Conflicts;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.Layout;
import io.chunkroll.sinks.table.OnConflict;
import io.chunkroll.sinks.table.PartitionMaker;
import io.chunkroll.sinks.table.TargetTable;
import java.io.IOException;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.connector.jdbc.JdbcConnectionOptions;
import org.apache.flink.connector.jdbc.JdbcExecutionOptions;
import org.apache.flink.connector.jdbc.core.datastream.sink.JdbcSink;
import org.apache.flink.connector.jdbc.datasource.connections.JdbcConnectionProvider;

/**
 * Loads tuples by INSERT through Flink's JDBC connector, with the driver's {@code reWriteBatchedInserts}, so that a batch goes as
 * multi-row statements.
 *
 * <p>At-least-once: what came before a checkpoint is in the table when it passes. The connector tries a failed batch again without
 * asking what became of it, so that a lost connection may double rows, unless rows whose key is there are skipped or replaced. The first
 * of a batch's rows with the same key is the one that is not skipped; the last is the one that replaces.
 */
public final class JdbcTupleSink implements Sink<Tuple> {
    private static final long serialVersionUID = 1L;
    private static final int RETRIES = 3;

    private final JdbcSink<Tuple> connector;
    private final JdbcConnectionProvider connections;
    private final JdbcOptions options;
    private final TargetTable table;

    /**
     * @param options connection and batches
     * @param table the table, as {@link TargetTable#read} found it
     * @param columns those that are loaded, in the order of the tuples
     * @param conflicts what becomes of rows whose unique key is there already
     */
    public JdbcTupleSink(JdbcOptions options, TargetTable table, TableDescription columns, Conflicts conflicts) {
        this.options = options;
        this.table = table;
        connections = new FailFastConnections(connectorOptions(options.connection(), conflicts));
        connector = JdbcSink.<Tuple>builder()
                .withQueryStatement(insertSql(table, columns) + conflicts.clause(columns), new TupleBinder(columns))
                .withExecutionOptions(JdbcExecutionOptions.builder()
                        .withBatchSize(options.batchRows())
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

    private static JdbcConnectionOptions connectorOptions(ConnectionOptions connection, Conflicts conflicts) {
        // One statement must not replace a row twice, so that with several rows it could not take every batch.
        boolean severalRows = conflicts.mode() != OnConflict.REPLACE;
        var options = new JdbcConnectionOptions.JdbcConnectionOptionsBuilder()
                .withUrl(connection.url())
                .withDriverName("org.postgresql.Driver")
                .withProperty("reWriteBatchedInserts", String.valueOf(severalRows))
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
        PartitionMaker partitions = table.layout() == Layout.PARTITIONED && options.partitionInterval() != null
                ? new PartitionMaker(table, options.partitionInterval())
                : null;
        return new MeteredJdbcWriter(
                new MeteredJdbcWriter.Connector(
                        connector.createWriter(context),
                        connections,
                        "subtask " + context.getTaskInfo().getIndexOfThisSubtask() + " into table " + table.name()),
                new MeteredJdbcWriter.Batching(options.batchRows(), options.batchAge()),
                new SinkMetrics(context.metricGroup())
                        .watching(
                                options.connection(),
                                table,
                                context.getTaskInfo().getIndexOfThisSubtask()),
                context.getProcessingTimeService(),
                partitions == null ? null : new MeteredJdbcWriter.Partitions(options.connection(), partitions));
    }
}
