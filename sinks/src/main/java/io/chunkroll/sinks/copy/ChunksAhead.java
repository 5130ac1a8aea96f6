package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.table.ChunkRanges;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.TimeRanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Makes a hypertable's chunks, over a connection that is opened when one is missing. TimescaleDB's free edition has no call for that, but
 * a row makes its chunk, and the chunk stays when the row is deleted: so one of the batch's own rows is copied and deleted in the same
 * transaction. Nobody ever sees it. A row that a filter leaves out makes its chunk too: TimescaleDB looks for a row's chunk before it looks
 * at the filter. If the server refuses it, another is tried, until one is taken or all have been refused.
 */
final class ChunksAhead implements ChunkMaker {
    /** How long chunks are taken to be there still: somebody may drop them. */
    static final Duration REFRESH = Duration.ofSeconds(30);

    /** A row that is taken back shall not set anything off, but only a role that may do so can switch triggers off. */
    private static final String WITHOUT_TRIGGERS = """
            SELECT CASE WHEN has_parameter_privilege('session_replication_role', 'SET')
                THEN set_config('session_replication_role', 'replica', true) END
            """;

    private static final String WITH_TRIGGERS = "SELECT";
    /** As they are when a batch is loaded of which rows are left out. */
    private static final String CONSTRAINTS = "; SET CONSTRAINTS ALL IMMEDIATE";

    private final ConnectionOptions options;
    private final ChunkRanges ranges;
    private final CopyStatement statement;
    private final boolean leavesOut;
    private final long refreshNanos;
    private final int[] one = new int[1];
    private boolean triggers;
    private long readAt = System.nanoTime();

    /**
     * @param leavesOut whether the load leaves out rows that the server refuses; else the first of them fails the batch
     * @param refresh after how long what is known is asked for anew
     */
    ChunksAhead(
            ConnectionOptions options,
            ChunkRanges ranges,
            CopyStatement statement,
            boolean leavesOut,
            Duration refresh) {
        this.options = options;
        this.ranges = ranges;
        this.statement = statement;
        this.leavesOut = leavesOut;
        refreshNanos = refresh.toNanos();
    }

    @Override
    public TimeRanges known() {
        return ranges.known();
    }

    @Override
    public List<RefusedRow> makeFor(Connection open, Batch batch) throws SQLException {
        if (System.nanoTime() - readAt > refreshNanos) {
            known().clear();
        }
        if (batch.liesWithin(known())) {
            return List.of();
        }
        int[] rows = rowsWithoutChunk(batch);
        if (rows.length == 0) {
            return List.of();
        }
        try (Connection connection = ChunkMaker.connect(options, "chunks")) {
            read(connection);
            triggers = ranges.haveTriggers(connection);
            connection.setAutoCommit(false);
            return make(connection, batch, rows);
        }
    }

    private void read(Connection connection) throws SQLException {
        ranges.read(connection);
        readAt = System.nanoTime();
    }

    private int[] rowsWithoutChunk(Batch batch) {
        int[] rows = new int[batch.rows()];
        int count = 0;
        for (int row = 0; row < batch.rows(); row++) {
            if (batch.hasTime(row) && !known().cover(batch.time(row))) {
                rows[count++] = row;
            }
        }
        return Arrays.copyOf(rows, count);
    }

    /** In leaps, each row once: bad rows often come one after the other, and a good one is soon found. */
    private List<RefusedRow> make(Connection connection, Batch batch, int[] rows) throws SQLException {
        List<RefusedRow> refused = new ArrayList<>();
        int leap = leap(rows.length);
        int at = 0;
        for (int tried = 0; tried < rows.length; tried++) {
            if (!known().cover(batch.time(rows[at]))) {
                tryToMake(connection, batch, rows[at]).ifPresent(refused::add);
            }
            at = (int) (((long) at + leap) % rows.length);
        }
        if (!refused.isEmpty()) {
            read(connection);
            connection.commit();
            refused.removeIf(row -> known().cover(batch.time(row.row())));
        }
        return refused;
    }

    /** About 0.6 of the length, and such that so long a walk in a ring of that length comes everywhere. */
    static int leap(int length) {
        int leap = Math.max(1, (int) (0.618 * length));
        while (gcd(length, leap) > 1) {
            leap++;
        }
        return leap;
    }

    private static int gcd(int a, int b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /** The row, if the server refuses it. */
    private Optional<RefusedRow> tryToMake(Connection connection, Batch batch, int row) throws SQLException {
        Optional<SQLException> refusal = refusalOf(connection, batch, row, WITHOUT_TRIGGERS);
        if (refusal.isPresent() && triggers) {
            // What they make of the row may be taken.
            refusal = refusalOf(connection, batch, row, WITH_TRIGGERS);
        }
        if (refusal.isPresent() && !leavesOut) {
            throw refusal.get();
        }
        return refusal.map(said -> RefusedRow.of(row, said));
    }

    /** Empty once the chunk is made, by this row or meanwhile by somebody else. */
    private Optional<SQLException> refusalOf(Connection connection, Batch batch, int row, String mode)
            throws SQLException {
        try {
            try (Statement set = connection.createStatement()) {
                set.execute(leavesOut ? mode + CONSTRAINTS : mode);
            }
            ranges.lock(connection);
            read(connection);
            if (!known().cover(batch.time(row))) {
                one[0] = row;
                long stored = statement.copy(connection, batch, one, 0, 1);
                read(connection);
                if (stored > 0) {
                    TimeRanges.Range chunk = known().at(batch.time(row))
                            .orElseThrow(() -> new SQLException("a row was copied and made no chunk of its time"));
                    ChunkRanges.deleteOwn(connection, chunk.name());
                }
            }
            connection.commit();
            return Optional.empty();
        } catch (SQLException e) {
            known().clear();
            if (!RetryPolicy.isRefusedRow(e)) {
                throw e;
            }
            connection.rollback();
            return Optional.of(e);
        }
    }
}
