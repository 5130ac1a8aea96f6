package io.chunkroll.sinks.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Connections that build indexes at the same time. If nobody says how much memory they may take for sorting, it is a quarter of the
 * server's shared buffers together, but none takes more than 1 GB, and none less than the server would give it by itself.
 *
 * @param connections how many work at once
 * @param memory bytes for all of them together; empty for what suits the server
 */
record IndexBuilders(ConnectionOptions server, int connections, OptionalLong memory) {
    // A transaction that is prepared and never ended holds its locks for ever.
    private static final String MEMORY = """
            SELECT set_config('lock_timeout', '1min', false), set_config('maintenance_work_mem',
                coalesce(greatest(1048576, ?::bigint / ?), greatest(pg_size_bytes(current_setting('maintenance_work_mem')),
                    least(pg_size_bytes('1GB'), pg_size_bytes(current_setting('shared_buffers')) / 4 / ?))) / 1024 || 'kB', false)
            """;

    /** Something to be done over a connection of its own. */
    interface Task {
        long run(Connection connection) throws SQLException;
    }

    /** Runs all of them, even if one fails, and returns what they returned. */
    List<Long> run(List<Task> tasks) throws SQLException, InterruptedException {
        if (tasks.isEmpty()) {
            return List.of();
        }
        int atOnce = Math.min(connections, tasks.size());
        ExecutorService threads = Executors.newFixedThreadPool(atOnce, task -> {
            Thread thread = new Thread(task, "indexes");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<Long>> results = threads.invokeAll(tasks.stream()
                    .map(task -> (Callable<Long>) () -> {
                        try (Connection connection = connect(atOnce)) {
                            return task.run(connection);
                        }
                    })
                    .toList());
            List<Long> values = new ArrayList<>();
            for (Future<Long> result : results) {
                values.add(result.get());
            }
            return values;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SQLException failure ? failure : new SQLException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private Connection connect(int atOnce) throws SQLException {
        Connection connection = server.connect("indexes");
        try (PreparedStatement statement = connection.prepareStatement(MEMORY)) {
            // An index takes as long as it takes.
            connection.setNetworkTimeout(Runnable::run, 0);
            statement.setObject(1, memory.isPresent() ? memory.getAsLong() : null, Types.BIGINT);
            statement.setInt(2, atOnce);
            statement.setInt(3, atOnce);
            statement.executeQuery().close();
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }
}
