package io.chunkroll.sinks.table;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a table takes on disk, looked at now and then: a look costs the server one at each file of each chunk, so each is followed by a hundred
 * times its own length without one.
 *
 * <p>Nobody is to wait behind a look: where somebody has locked the table it sees nothing. Not safe for several threads.
 */
public final class TableSizes {
    private static final Logger LOG = LoggerFactory.getLogger(TableSizes.class);
    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final int REST = 100;

    /**
     * What a look saw.
     *
     * @param table bytes of the table, chunks included, indexes not
     * @param indexes bytes of its indexes
     */
    public record Sizes(long table, long indexes) {}

    private final TargetTable table;
    private final Duration period;
    private long due = System.nanoTime();

    /** @param period at least as long from look to look */
    public TableSizes(TargetTable table, Duration period) {
        this.table = table;
        this.period = period;
    }

    /** The next look may be at once. */
    public void restart() {
        due = System.nanoTime();
    }

    /**
     * Looks, if it is time to.
     *
     * @return empty if it is not, or if the table is locked for longer than a tenth of a second
     */
    public Optional<Sizes> look(Connection connection) throws SQLException {
        long begin = System.nanoTime();
        if (begin - due < 0) {
            return Optional.empty();
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET lock_timeout = '100ms'");
            Optional<Sizes> sizes = read(connection);
            statement.execute("RESET lock_timeout");
            return sizes;
        } finally {
            long end = System.nanoTime();
            due = end + Math.max(period.toNanos(), REST * (end - begin));
        }
    }

    private Optional<Sizes> read(Connection connection) throws SQLException {
        try {
            return Optional.of(new Sizes(table.tableBytes(connection), table.indexBytes(connection)));
        } catch (SQLException e) {
            if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                throw e;
            }
            LOG.debug("{} is locked, its size is not looked at", table.name());
            return Optional.empty();
        }
    }
}
