package io.chunkroll.sinks.copy;

import static java.util.stream.Collectors.joining;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.sinks.table.Conflicts;
import io.chunkroll.sinks.table.OnConflict;
import io.chunkroll.sinks.table.TargetTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Loads a batch by way of a temporary staging table: COPY into it, then one INSERT from it that skips or replaces rows whose key is there.
 *
 * <p>The rows lie in the staging table in the order of their coming, so that of two with the same key {@code ctid} tells which is the
 * last: it wins. They are inserted in the order of the key, which keeps writers of the same keys from deadlocks and visits each page
 * of the key's index once.
 *
 * <p>Only the server can tell a row that was inserted from one that was replaced. What {@code xmax} says of it cannot be read
 * from a partitioned table, so the update counts itself in a temporary sequence.
 */
final class ConflictLoad implements RowsLoad {
    private static final String STAGING = "pg_temp.chunkroll_staging";
    private static final String REPLACED = "pg_temp.chunkroll_replaced";

    private final CopyStatement copy;
    private final List<String> setup;
    private final String insert;
    private final OnConflict mode;
    private final boolean countsUpdates;

    /** @param filter which rows the staging table takes */
    ConflictLoad(TargetTable table, TableDescription columns, Conflicts conflicts, CopyFilter filter) {
        mode = conflicts.mode();
        countsUpdates = conflicts.updates(columns);
        copy = new CopyStatement(STAGING, table, columns, filter);
        String names = columns.columns().stream()
                .map(column -> table.quote(column.name()))
                .collect(joining(", "));
        // Made of a query, it has the columns' types and collations and none of their constraints.
        setup = List.of(
                "CREATE TEMP TABLE " + STAGING + " ON COMMIT DELETE ROWS AS SELECT " + names + " FROM "
                        + table.name().sql() + " WITH NO DATA",
                "CREATE TEMP SEQUENCE " + REPLACED);
        List<String> key = keyTerms(table, columns, conflicts);
        String distinct = mode == OnConflict.REPLACE ? "DISTINCT ON (" + String.join(", ", key) + ") " : "";
        insert =
                "INSERT INTO " + table.name().sql() + " (" + names + ") SELECT " + distinct + names + " FROM " + STAGING
                        + Stream.concat(key.stream(), Stream.of("ctid DESC")).collect(joining(", ", " ORDER BY ", ""))
                        + conflicts.clause(columns)
                        + (countsUpdates ? " WHERE nextval('" + REPLACED + "') > 0" : "");
    }

    /** What rows of the same key agree in. Where NULLs differ from each other, a row with one agrees with no other. */
    private static List<String> keyTerms(TargetTable table, TableDescription columns, Conflicts conflicts) {
        Predicate<String> mayBeNull =
                name -> !columns.columns().get(columns.indexOf(name)).notNull();
        List<String> terms =
                new ArrayList<>(conflicts.key().stream().map(table::quote).toList());
        String anyNull = conflicts.key().stream()
                .filter(mayBeNull)
                .map(name -> table.quote(name) + " IS NULL")
                .collect(joining(" OR "));
        if (conflicts.nullsDistinct() && !anyNull.isEmpty()) {
            terms.add("CASE WHEN " + anyNull + " THEN ctid END");
        }
        return terms;
    }

    /** As they came: of two rows with the same key, the staging table shows which is the last. */
    @Override
    public int[] order(Batch batch) {
        return batch.arrival();
    }

    @Override
    public Loaded load(Connection connection, Batch batch, int[] order, int from, int to) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            setUp(statement);
            long staged = copy.copy(connection, batch, order, from, to);
            if (countsUpdates) {
                statement.execute("SELECT setval('" + REPLACED + "', 1)");
            }
            long stored = statement.executeLargeUpdate(insert);
            long inserted = countsUpdates ? stored - updates(statement) : stored;
            if (to - from < batch.rows()) {
                // The transaction goes on with other rows; its commit would empty the table by itself.
                statement.execute("TRUNCATE " + STAGING);
            }
            long others = staged - inserted;
            Loaded loaded = mode == OnConflict.SKIP ? new Loaded(inserted, others, 0) : new Loaded(inserted, 0, others);
            return loaded.withFiltered(to - from - staged);
        }
    }

    /** Once a session. It is the server that is asked whether that is done: a rollback undoes it, and a new connection has nothing. */
    private void setUp(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT to_regclass('" + STAGING + "') IS NOT NULL")) {
            row.next();
            if (row.getBoolean(1)) {
                return;
            }
        }
        for (String sql : setup) {
            statement.execute(sql);
        }
    }

    private static long updates(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT last_value - 1 FROM " + REPLACED)) {
            row.next();
            return row.getLong(1);
        }
    }
}
