package io.chunkroll.sinks.tags;

import io.chunkroll.sinks.copy.RetryPolicy;
import io.chunkroll.sinks.table.ConnectionOptions;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives hosts their ids, over a connection of its own. A host that is not in the table is added, with the tags of the row in which it was seen
 * first; one that is keeps its own.
 */
public final class HostIds implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HostIds.class);

    private final ConnectionOptions server;
    private final TagsTable table;
    private final Duration retryFor;
    private Connection connection;

    /** @param retryFor how long a lost connection or a server that restarts is waited for */
    public HostIds(ConnectionOptions server, TagsTable table, Duration retryFor) {
        this.server = server;
        this.table = table;
        this.retryFor = retryFor;
    }

    /**
     * The ids of hosts, those that are new added: all or none. Adding hosts twice adds them once.
     *
     * @param hosts the values of each host's tags, the first of them its name, in the order of names, so that two who add the same hosts do not
     *     wait for each other
     */
    public Map<String, Integer> of(NavigableMap<String, Object[]> hosts) throws SQLException, InterruptedException {
        long begin = System.nanoTime();
        for (int attempt = 1; ; attempt++) {
            try {
                if (connection == null) {
                    connection = server.connect("tags");
                    connection.setAutoCommit(false);
                }
                return resolve(hosts);
            } catch (SQLException e) {
                close();
                if (!RetryPolicy.isTransient(e) || System.nanoTime() - begin > retryFor.toNanos()) {
                    throw new SQLException(
                            "The tags of " + hosts.size() + " hosts, " + hosts.firstKey()
                                    + " among them, could not be put into table " + table.name()
                                    + " (sink.tags-table): " + e.getMessage(),
                            e.getSQLState(),
                            e);
                }
                LOG.info("Tags are tried again: {}", e.getMessage());
                Thread.sleep(RetryPolicy.pauseMillis(attempt));
            }
        }
    }

    private Map<String, Integer> resolve(NavigableMap<String, Object[]> hosts) throws SQLException {
        Map<String, Integer> ids = new HashMap<>();
        Array names = connection.createArrayOf("text", hosts.keySet().toArray());
        find(names, ids);
        if (ids.size() < hosts.size()) {
            add(hosts, ids);
            find(names, ids);
        }
        connection.commit();
        if (ids.size() < hosts.size()) {
            String lost = hosts.keySet().stream()
                    .filter(host -> !ids.containsKey(host))
                    .findFirst()
                    .orElseThrow();
            throw new SQLException("host '" + lost
                    + "' is not to be found after it was added: its column must hold names as they are, such as text does, and no"
                    + " trigger may change or remove its row");
        }
        return ids;
    }

    private void add(NavigableMap<String, Object[]> hosts, Map<String, Integer> known) throws SQLException {
        String places = String.join(", ", Collections.nCopies(table.tags().size(), "?"));
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO " + table.name().sql() + " (" + table.columns() + ") VALUES ("
                        + places + ") ON CONFLICT (" + table.host() + ") DO NOTHING")) {
            for (Map.Entry<String, Object[]> host : hosts.entrySet()) {
                if (!known.containsKey(host.getKey())) {
                    for (int i = 0; i < host.getValue().length; i++) {
                        insert.setObject(i + 1, host.getValue()[i]);
                    }
                    insert.addBatch();
                }
            }
            insert.executeBatch();
        }
    }

    private void find(Array names, Map<String, Integer> ids) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT " + table.host() + ", id FROM "
                + table.name().sql() + " WHERE " + table.host() + " = ANY (?)")) {
            select.setArray(1, names);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    ids.put(row.getString(1), row.getInt(2));
                }
            }
        }
    }

    @Override
    public void close() {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            LOG.debug("Closing the connection for tags", e);
        }
        connection = null;
    }
}
