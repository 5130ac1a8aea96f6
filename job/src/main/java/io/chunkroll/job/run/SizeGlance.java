package io.chunkroll.job.run;

import io.chunkroll.sinks.table.TargetTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the table takes on disk, seen now and then: the server asks for the length of every file of every chunk, so that many chunks are
 * looked at less often.
 */
final class SizeGlance {
    private static final Logger LOG = LoggerFactory.getLogger(SizeGlance.class);
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /** A look is followed by a hundred times its length without one: it takes less than a hundredth of the time. */
    private static final long SHARE = 100;

    private long due = System.nanoTime();

    /** Empty where it is too early for a look, or where the table is locked: the rest of a glance does not wait for either. */
    DatabaseProbe.Sizes look(Connection connection, TargetTable table) throws SQLException {
        if (System.nanoTime() - due < 0) {
            return DatabaseProbe.Sizes.NONE;
        }
        long begin = System.nanoTime();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET lock_timeout = '100ms'");
            DatabaseProbe.Sizes sizes = read(connection, table);
            statement.execute("RESET lock_timeout");
            return sizes;
        } finally {
            long end = System.nanoTime();
            due = end + SHARE * (end - begin);
        }
    }

    private static DatabaseProbe.Sizes read(Connection connection, TargetTable table) throws SQLException {
        try {
            return new DatabaseProbe.Sizes(
                    OptionalLong.of(table.tableBytes(connection)), OptionalLong.of(table.indexBytes(connection)));
        } catch (SQLException e) {
            if (!LOCK_NOT_AVAILABLE.equals(e.getSQLState())) {
                throw e;
            }
            LOG.debug("{} is locked, its size is not looked at", table.name());
            return DatabaseProbe.Sizes.NONE;
        }
    }
}
