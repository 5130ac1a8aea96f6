package io.chunkroll.sinks.jdbc;

import io.chunkroll.sinks.table.ConnectionOptions;
import java.io.Serializable;
import java.time.Duration;

/**
 * How a JDBC sink works.
 *
 * @param connection the server
 * @param batchRows rows in a batch, at least 1
 * @param batchAge how long the first row of a batch may wait for others
 * @param partitionInterval the time that a native partition covers, or null where the table has none to be made
 */
public record JdbcOptions(ConnectionOptions connection, int batchRows, Duration batchAge, Duration partitionInterval)
        implements Serializable {}
