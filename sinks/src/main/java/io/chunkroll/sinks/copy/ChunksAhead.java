package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.table.ChunkRanges;
import io.chunkroll.sinks.table.ConnectionOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Makes a hypertable's chunks, over a connection that is opened when one is missing. TimescaleDB's free edition has no call for that, but
 * a row makes its chunk, and the chunk stays when the row is deleted: so one of the batch's own rows is copied and deleted in the same
 * transaction. Nobody ever sees it.
 */
final class ChunksAhead implements ChunkMaker {
    /** So many rows of a batch are tried if the server refuses them; then the chunk is left to the batch's own transaction. */
    private static final int TRIES = 100;

    private final ConnectionOptions options;
    private final ChunkRanges ranges;
    private final CopyStatement statement;
    private final int[] one = new int[1];

    ChunksAhead(ConnectionOptions options, ChunkRanges ranges, CopyStatement statement) {
        this.options = options;
        this.ranges = ranges;
        this.statement = statement;
    }

    @Override
    public void makeFor(Batch batch) throws SQLException {
        if (batch.minTime() > batch.maxTime() || ranges.cover(batch.minTime(), batch.maxTime())) {
            return;
        }
        int row = nextWithoutChunk(batch, 0);
        if (row == batch.rows()) {
            return;
        }
        try (Connection connection = ChunkMaker.connect(options, "chunks")) {
            connection.setAutoCommit(false);
            for (int tries = 0; row < batch.rows() && tries < TRIES; tries++) {
                tryToMake(connection, batch, row);
                row = nextWithoutChunk(batch, row + 1);
            }
        }
    }

    private int nextWithoutChunk(Batch batch, int from) {
        for (int row = from; row < batch.rows(); row++) {
            if (batch.hasFiniteTime(row) && ranges.chunkOf(batch.time(row)).isEmpty()) {
                return row;
            }
        }
        return batch.rows();
    }

    private void tryToMake(Connection connection, Batch batch, int row) throws SQLException {
        try {
            withoutTriggers(connection);
            ranges.lock(connection);
            ranges.read(connection);
            if (ranges.chunkOf(batch.time(row)).isEmpty()) {
                one[0] = row;
                statement.copy(connection, batch, one, 0, 1);
                ranges.read(connection);
                String chunk = ranges.chunkOf(batch.time(row))
                        .orElseThrow(() -> new SQLException("a row was copied and made no chunk"));
                ChunkRanges.deleteOwn(connection, chunk);
            }
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            ranges.read(connection);
            if (!RetryPolicy.isRefusedRow(e)) {
                throw e;
            }
        }
    }

    /** A row that is taken back shall not set anything off. Only a role that may do so can switch triggers off. */
    private static void withoutTriggers(Connection connection) throws SQLException {
        try (Statement set = connection.createStatement()) {
            set.execute("""
                    SELECT CASE WHEN has_parameter_privilege('session_replication_role', 'SET')
                        THEN set_config('session_replication_role', 'replica', true) END
                    """);
        }
    }
}
