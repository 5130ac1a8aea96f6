package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.PartitionMaker;
import io.chunkroll.sinks.table.TimeRanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Makes native partitions, over a connection that is opened when one is missing. */
final class PartitionsAhead implements ChunkMaker {
    private static final String CHECK_VIOLATION = "23514";

    private final ConnectionOptions options;
    private final PartitionMaker maker;
    private long outdatedFor = -1;

    PartitionsAhead(ConnectionOptions options, PartitionMaker maker) {
        this.options = options;
        this.maker = maker;
    }

    @Override
    public TimeRanges known() {
        return maker.known();
    }

    @Override
    public List<RefusedRow> makeFor(Connection open, Batch batch) throws SQLException {
        if (batch.liesWithin(known())) {
            return List.of();
        }
        long[] times = timesWithoutPartition(batch);
        if (times.length > 0) {
            try (Connection connection = ChunkMaker.connect(options, "partitions")) {
                maker.ensure(connection, times);
            }
        }
        return List.of();
    }

    private long[] timesWithoutPartition(Batch batch) {
        long[] times = new long[batch.rows()];
        int count = 0;
        for (int row = 0; row < batch.rows(); row++) {
            if (batch.hasFiniteTime(row) && !known().cover(batch.time(row))) {
                times[count++] = batch.time(row);
            }
        }
        return Arrays.copyOf(times, count);
    }

    @Override
    public boolean isOutdated(Batch batch, SQLException failure) {
        if (batch.number() == outdatedFor || !isMissingPartition(failure)) {
            return false;
        }
        outdatedFor = batch.number();
        known().clear();
        return true;
    }

    /** Other than a CHECK that is violated, a partition that is missing has no name. */
    private static boolean isMissingPartition(SQLException failure) {
        if (!CHECK_VIOLATION.equals(failure.getSQLState()) || !(failure instanceof PSQLException refusal)) {
            return false;
        }
        ServerErrorMessage said = refusal.getServerErrorMessage();
        return said != null && said.getConstraint() == null;
    }
}
