package io.chunkroll.faults.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Compares a table with the reference, row by row in all columns, and looks for what ought not to be there. */
final class Verifier {
    /** A connection that was closed is still shown for a moment. */
    private static final Duration CLOSING = Duration.ofSeconds(5);

    private static final String OURS = "FROM pg_stat_activity WHERE application_name LIKE 'chunkroll%'";
    /** Tables and sequences, temporary ones too, that are neither the two we know, nor a part of one, nor TimescaleDB's own. */
    private static final String STRANGE_TABLES = """
            SELECT c.oid::regclass || ' (table)' FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
            WHERE relkind IN ('r', 'p', 'S', 'f') AND nspname NOT IN ('pg_catalog', 'information_schema')
            AND (nspname NOT LIKE '\\_timescaledb%%' OR relpersistence = 't') AND nspname NOT LIKE 'pg\\_toast%%'
            AND relname NOT IN ('%1$s', '%2$s')
            AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = c.oid AND inhparent = to_regclass('%1$s'))
            """.formatted(LoadPlan.TABLE, Reference.TABLE);

    private final PostgresServer server;
    private final Set<String> badRows;

    Verifier(PostgresServer server, Set<String> badRows) {
        this.server = server;
        this.badRows = badRows;
    }

    /** Looks at everything that the load left, now that it is over. */
    Verdict verify(LoadPlan plan) throws SQLException, IOException {
        List<String> leftovers = new ArrayList<>();
        List<String> rejects = plan.csv() ? rejects(plan.runFolder(), leftovers) : List.of();
        Set<String> once = new HashSet<>(rejects);
        Set<String> lostRejects = new HashSet<>(plan.csv() ? badRows : Set.of());
        lostRejects.removeAll(once);
        once.removeAll(badRows);
        once.forEach(row -> leftovers.add("a reject that is no bad row: " + row));
        try (Connection connection = server.connect()) {
            leftovers.addAll(inServer(connection));
            return new Verdict(
                    Sql.number(connection, "SELECT count(*) FROM " + LoadPlan.TABLE),
                    missing(connection, Reference.TABLE, LoadPlan.TABLE),
                    doubled(connection),
                    missing(connection, LoadPlan.TABLE, Reference.TABLE),
                    lostRejects.size(),
                    rejects.size() - new HashSet<>(rejects).size(),
                    leftovers);
        }
    }

    /** Rows that are there more than once, so far. */
    long doubled() throws SQLException {
        try (Connection connection = server.connect()) {
            return doubled(connection);
        }
    }

    private static long doubled(Connection connection) throws SQLException {
        return Sql.number(
                connection,
                "SELECT coalesce(sum(times - 1), 0) FROM (SELECT count(*) times FROM " + LoadPlan.TABLE
                        + " GROUP BY time, hostname)");
    }

    private static long missing(Connection connection, String from, String in) throws SQLException {
        return Sql.number(connection, "SELECT count(*) FROM (TABLE " + from + " EXCEPT TABLE " + in + ")");
    }

    private static List<String> inServer(Connection connection) throws SQLException {
        try {
            Awaitility.await().atMost(CLOSING).until(() -> Sql.number(connection, "SELECT count(*) " + OURS) == 0);
        } catch (ConditionTimeoutException e) {
            // Then it is among the leftovers.
        }
        List<String> found = new ArrayList<>();
        found.addAll(Sql.list(connection, "SELECT gid || ' (prepared transaction)' FROM pg_prepared_xacts"));
        found.addAll(Sql.list(
                connection,
                "SELECT application_name || ' (connection, ' || coalesce(state, '?') || ', ' || query || ')' " + OURS));
        found.addAll(Sql.list(connection, STRANGE_TABLES));
        return found;
    }

    /** The rows in the reject files; all else in the run's folder is a leftover. */
    private static List<String> rejects(Path runFolder, List<String> leftovers) throws IOException {
        List<String> rows = new ArrayList<>();
        if (!Files.isDirectory(runFolder)) {
            return rows;
        }
        ObjectMapper json = new ObjectMapper();
        try (Stream<Path> files = Files.walk(runFolder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = file.getFileName().toString();
                if (name.startsWith(".") || !name.endsWith(".jsonl")) {
                    leftovers.add(runFolder.relativize(file) + " (file)");
                    continue;
                }
                for (String line : Files.readAllLines(file)) {
                    JsonNode reject = json.readTree(line);
                    rows.add(reject.path("row").asText());
                }
            }
        }
        return rows;
    }
}
