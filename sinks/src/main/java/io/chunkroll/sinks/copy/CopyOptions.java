package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.table.ConnectionOptions;
import java.io.Serializable;
import java.time.Duration;

/**
 * How a COPY sink works.
 *
 * @param connection the server
 * @param limits when a batch is sent
 * @param sorted whether a batch's rows are sent by partition key and time instead of as they came: the server then visits each page of
 *     the (key, time) index once for all of a key's rows
 * @param retryFor how long a batch is tried again after a lost connection, a deadlock or a restarting server, before the job fails
 * @param chunksAhead whether chunks and partitions are made before the batch that needs them, in short transactions of their own; else
 *     TimescaleDB makes them within the batch's, and native partitions must be there
 * @param partitionInterval the time that a native partition covers, or null where the table has none to be made
 * @param partitionsApart whether native partitions are made as tables of their own without indexes, which somebody attaches at the end
 */
public record CopyOptions(
        ConnectionOptions connection,
        BatchLimits limits,
        boolean sorted,
        Duration retryFor,
        boolean chunksAhead,
        Duration partitionInterval,
        boolean partitionsApart)
        implements Serializable {

    /** Partitions are attached before rows come. */
    public CopyOptions(
            ConnectionOptions connection,
            BatchLimits limits,
            boolean sorted,
            Duration retryFor,
            boolean chunksAhead,
            Duration partitionInterval) {
        this(connection, limits, sorted, retryFor, chunksAhead, partitionInterval, false);
    }
}
