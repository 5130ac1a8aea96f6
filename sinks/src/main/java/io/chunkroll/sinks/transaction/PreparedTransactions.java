package io.chunkroll.sinks.transaction;

import io.chunkroll.sinks.table.TargetException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The prepared transactions of loads, in the database that a connection is connected to. */
public final class PreparedTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(PreparedTransactions.class);

    private static final String LIST = """
            SELECT gid, owner, prepared FROM pg_prepared_xacts
            WHERE database = current_database() AND starts_with(gid, ?) ORDER BY prepared, gid
            """;

    private static final String ROOM = """
            SELECT current_setting('max_prepared_transactions')::int, count(*) FILTER (WHERE NOT starts_with(gid, ?))
            FROM pg_prepared_xacts
            """;

    private static final String LIVE = """
            SELECT pid, application_name FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND starts_with(application_name, ?)
            """;
    private static final String END = "SELECT pg_terminate_backend(?, 10000)";
    private static final String RUNS = "SELECT FROM pg_stat_activity WHERE pid = ?";

    private static final String UNDEFINED_OBJECT = "42704";
    private static final String WRITER = "chunkroll copy ";
    /** One that waits for its commit, and the next. */
    private static final int A_SUBTASK = 2;

    private PreparedTransactions() {}

    /** Those of every load. */
    public static List<PreparedTransaction> list(Connection connection) throws SQLException {
        return listFrom(connection, TransactionId.BEGIN);
    }

    /** Those of loads with this prefix. */
    public static List<PreparedTransaction> list(Connection connection, String prefix) throws SQLException {
        return listFrom(connection, TransactionId.BEGIN + prefix + ':');
    }

    private static List<PreparedTransaction> listFrom(Connection connection, String begin) throws SQLException {
        List<PreparedTransaction> found = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(LIST)) {
            statement.setString(1, begin);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String owner = row.getString(2);
                    var prepared = row.getTimestamp(3).toInstant();
                    TransactionId.parse(row.getString(1))
                            .ifPresent(id -> found.add(new PreparedTransaction(id, owner, prepared)));
                }
            }
        }
        return found;
    }

    /** Undoes the transaction; nothing happens if it has ended meanwhile. The connection commits each statement by itself. */
    public static void rollBack(Connection connection, TransactionId id) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("ROLLBACK PREPARED '" + id.gid() + "'");
            LOG.info("Rolled back the prepared transaction {}, whose rows come again", id);
        } catch (SQLException e) {
            if (!UNDEFINED_OBJECT.equals(e.getSQLState())) {
                throw e;
            }
        }
    }

    /** What a writer's connection is for, as the server shows it: by it, a writer that should be dead is found. */
    public static String purpose(String prefix, int subtask) {
        return String.format("copy %d of %08x", subtask, prefix.hashCode());
    }

    /** Process ids of the backends that serve writers of loads with this prefix. */
    public static List<Integer> liveWriters(Connection connection, String prefix) throws SQLException {
        return liveWriters(connection, prefix, subtask -> true);
    }

    /** Those of the subtasks that are wanted. */
    static List<Integer> liveWriters(Connection connection, String prefix, IntPredicate subtask) throws SQLException {
        List<Integer> pids = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(LIVE)) {
            statement.setString(1, WRITER);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String number = row.getString(2).substring(WRITER.length()).replaceAll(" .*", "");
                    boolean wanted = number.matches("\\d{1,6}")
                            && row.getString(2).equals("chunkroll " + purpose(prefix, Integer.parseInt(number)))
                            && subtask.test(Integer.parseInt(number));
                    if (wanted) {
                        pids.add(row.getInt(1));
                    }
                }
            }
        }
        return pids;
    }

    /**
     * Ends a backend and waits until it is gone.
     *
     * @throws SQLTransientException if it is still there after ten seconds: what it prepares later, nobody would find
     */
    static void end(Connection connection, int pid) throws SQLException {
        try (PreparedStatement end = connection.prepareStatement(END);
                PreparedStatement runs = connection.prepareStatement(RUNS)) {
            end.setInt(1, pid);
            end.executeQuery().close();
            runs.setInt(1, pid);
            try (ResultSet row = runs.executeQuery()) {
                if (row.next()) {
                    throw new SQLTransientException("backend " + pid + " of an earlier attempt does not end");
                }
            }
        }
    }

    /**
     * Checks that the server holds as many prepared transactions as a load can have at once.
     *
     * @throws TargetException if not, with the number that it takes
     */
    public static void checkRoom(Connection connection, String prefix, int parallelism) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(ROOM)) {
            statement.setString(1, TransactionId.BEGIN + prefix + ':');
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                int most = row.getInt(1);
                int others = row.getInt(2);
                int needed = A_SUBTASK * parallelism + others;
                if (most < needed) {
                    throw new TargetException("sink.guarantee exactly-once with job.parallelism " + parallelism
                            + " needs " + A_SUBTASK + " prepared transactions a subtask"
                            + (others > 0 ? ", and " + others + " are in use by others" : "")
                            + "; the server allows " + most + ": set max_prepared_transactions to at least " + needed
                            + " and restart it (the embedded server: --server.max_prepared_transactions " + needed
                            + "), or lower job.parallelism");
                }
            }
        }
    }
}
