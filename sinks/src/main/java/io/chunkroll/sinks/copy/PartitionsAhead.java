package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.PartitionMaker;
import java.sql.Connection;
import java.sql.SQLException;

/** Makes native partitions, over a connection that is opened when one is missing. */
final class PartitionsAhead implements ChunkMaker {
    private final ConnectionOptions options;
    private final PartitionMaker maker;

    PartitionsAhead(ConnectionOptions options, PartitionMaker maker) {
        this.options = options;
        this.maker = maker;
    }

    @Override
    public void makeFor(Batch batch) throws SQLException {
        if (batch.minTime() > batch.maxTime() || maker.covers(batch.minTime(), batch.maxTime())) {
            return;
        }
        try (Connection connection = ChunkMaker.connect(options, "partitions")) {
            maker.ensure(connection, batch.minTime(), batch.maxTime());
        }
    }
}
