package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.table.TimeRanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes chunks for a transaction that stays open, and holds on to them: before its first row goes into a chunk, the transaction locks it,
 * as the rows themselves would, so that from then on nobody can drop it. So the transaction never makes one itself.
 *
 * <p>It is not given up when the connection is lost over which chunks are made; that is tried again by itself.
 */
final class HeldChunks implements ChunkMaker {
    private static final Logger LOG = LoggerFactory.getLogger(HeldChunks.class);
    private static final String UNDEFINED_TABLE = "42P01";
    /** So often a chunk may be dropped between its making and its lock. */
    private static final int ATTEMPTS = 10;

    private final ChunkMaker maker;
    private final RetryPolicy retries;
    private final TimeRanges held = new TimeRanges();

    HeldChunks(ChunkMaker maker, RetryPolicy retries) {
        this.maker = maker;
        this.retries = retries;
    }

    @Override
    public void transactionBegins() {
        held.clear();
    }

    @Override
    public boolean isOutdated(Batch batch, SQLException failure) {
        boolean outdated = maker.isOutdated(batch, failure);
        if (outdated) {
            held.clear();
        }
        return outdated;
    }

    @Override
    public List<RefusedRow> makeFor(Connection open, Batch batch) throws SQLException {
        if (batch.liesWithin(held)) {
            return List.of();
        }
        for (int attempt = 1; ; attempt++) {
            List<RefusedRow> refused = make(open, batch);
            try {
                hold(open, notHeld(batch).values());
                return refused;
            } catch (SQLException e) {
                if (!UNDEFINED_TABLE.equals(e.getSQLState()) || attempt == ATTEMPTS) {
                    throw e;
                }
                try (Statement statement = open.createStatement()) {
                    statement.execute("ROLLBACK TO SAVEPOINT chunks; RELEASE SAVEPOINT chunks");
                }
                maker.known().clear();
            }
        }
    }

    private List<RefusedRow> make(Connection open, Batch batch) throws SQLException {
        long begin = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            try {
                return maker.makeFor(open, batch);
            } catch (SQLException e) {
                if (!RetryPolicy.isTransient(e) || !retries.allows(System.nanoTime() - begin)) {
                    throw e;
                }
                LOG.warn("Attempt {} at making chunks failed and is made again: {}", attempt, e.getMessage());
                pause(attempt);
            }
        }
    }

    private static void pause(int attempt) throws SQLException {
        try {
            TimeUnit.MILLISECONDS.sleep(RetryPolicy.pauseMillis(attempt));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while chunks were made", e);
        }
    }

    /** The known chunks of the batch's rows, by their start, so that all who lock several do so in the same order. */
    private Map<Long, TimeRanges.Range> notHeld(Batch batch) {
        Map<Long, TimeRanges.Range> chunks = new TreeMap<>();
        for (int row = 0; row < batch.rows(); row++) {
            if (batch.hasTime(row) && !held.cover(batch.time(row))) {
                maker.known().at(batch.time(row)).ifPresent(chunk -> chunks.put(chunk.start(), chunk));
            }
        }
        return chunks;
    }

    /** @throws SQLException of an undefined table if one is there no more; the transaction has a savepoint then, {@code chunks} */
    private void hold(Connection open, Collection<TimeRanges.Range> chunks) throws SQLException {
        if (chunks.isEmpty()) {
            return;
        }
        String names = chunks.stream().map(chunk -> "ONLY " + chunk.name()).collect(Collectors.joining(", "));
        try (Statement statement = open.createStatement()) {
            statement.execute(
                    "SAVEPOINT chunks; LOCK TABLE " + names + " IN ROW EXCLUSIVE MODE; RELEASE SAVEPOINT chunks");
        }
        chunks.forEach(held::add);
    }
}
