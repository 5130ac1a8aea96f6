package io.chunkroll.faults.harness;

import io.chunkroll.server.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the rows that a reader of the table can see, five times a second, and keeps the longest time in which none was added. It has a
 * connection of its own, past the proxy; while the server does not answer, nothing is added.
 */
final class CommitWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CommitWatch.class);
    private static final long PERIOD_MILLIS = 200;

    private final PostgresServer server;
    private final Thread thread;
    private long rows;
    private long lastGrowth = System.nanoTime();
    private long longest;

    CommitWatch(PostgresServer server) {
        this.server = server;
        thread = new Thread(this::watch, "commit-watch");
        thread.setDaemon(true);
        thread.start();
    }

    /** As of the last look. */
    synchronized long rows() {
        return rows;
    }

    /** From here on the longest standstill is looked for anew; one that lasts already counts from its beginning. */
    synchronized void mark() {
        longest = 0;
    }

    /** The longest time without a new row since the mark, up to now. */
    synchronized Duration longest() {
        return Duration.ofNanos(Math.max(longest, System.nanoTime() - lastGrowth));
    }

    private synchronized void saw(long count) {
        if (count > rows) {
            long now = System.nanoTime();
            longest = Math.max(longest, now - lastGrowth);
            lastGrowth = now;
        }
        rows = count;
    }

    private void watch() {
        try {
            while (true) {
                try (Connection connection = server.connect();
                        Statement statement = connection.createStatement()) {
                    while (true) {
                        try (ResultSet count = statement.executeQuery("SELECT count(*) FROM " + LoadPlan.TABLE)) {
                            count.next();
                            saw(count.getLong(1));
                        }
                        Thread.sleep(PERIOD_MILLIS);
                    }
                } catch (SQLException e) {
                    LOG.debug("The rows could not be counted", e);
                    Thread.sleep(PERIOD_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            LOG.trace("Closed", e);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
