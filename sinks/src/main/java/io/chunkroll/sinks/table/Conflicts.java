package io.chunkroll.sinks.table;

import static java.util.stream.Collectors.joining;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.TableDescription;
import java.io.Serializable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What becomes of rows whose unique key is in the table already, and by which key they are known.
 *
 * @param mode as it was asked for
 * @param key the key's columns; empty for {@link OnConflict#ERROR}, and where rows are skipped that conflict with any of several indexes
 * @param nullsDistinct whether a row with a NULL in its key differs from every other
 */
public record Conflicts(OnConflict mode, List<String> key, boolean nullsDistinct) implements Serializable {
    /** The server refuses such rows. */
    public static final Conflicts ERROR = new Conflicts(OnConflict.ERROR, List.of(), true);

    public Conflicts {
        key = List.copyOf(key);
    }

    /**
     * Finds the table's key: the primary key, or else the one unique index that there is.
     *
     * @param loaded the columns that are filled; a key with any other column says nothing about a row
     * @throws TargetException if there is no such key, or more than one where rows are to be replaced
     */
    public static Conflicts of(Connection connection, TargetTable table, TableDescription loaded, OnConflict mode)
            throws SQLException {
        if (mode == OnConflict.ERROR) {
            return ERROR;
        }
        List<UniqueIndex> all = UniqueIndex.list(connection, table.name());
        List<UniqueIndex> fit =
                all.stream().filter(index -> index.unfitFor(loaded).isEmpty()).toList();
        if (fit.isEmpty()) {
            throw new TargetException(noKey(table, loaded, mode, all));
        }
        if (mode == OnConflict.SKIP) {
            refuseDeferrable(table, all);
        }
        UniqueIndex first = fit.get(0);
        if (first.primary()
                || fit.stream()
                                .map(index -> Set.copyOf(index.columns()))
                                .distinct()
                                .count()
                        == 1) {
            return new Conflicts(mode, first.columns(), fit.stream().allMatch(UniqueIndex::nullsDistinct));
        }
        if (mode == OnConflict.SKIP) {
            return new Conflicts(mode, List.of(), true);
        }
        throw new TargetException("sink.on-conflict replace must know rows by one key, but table " + table.name()
                + " has several unique indexes and no primary key: "
                + fit.stream().map(UniqueIndex::name).collect(joining(", ")) + ". Make the one that counts the primary"
                + " key, or set sink.on-conflict skip");
    }

    /** PostgreSQL does not skip conflicts in a table with one, whichever index they are with. */
    private static void refuseDeferrable(TargetTable table, List<UniqueIndex> all) {
        all.stream()
                .filter(index -> index.flaw() == UniqueIndex.Flaw.DEFERRABLE)
                .findFirst()
                .ifPresent(index -> {
                    throw new TargetException("sink.on-conflict skip cannot be: the unique constraint " + index.name()
                            + " of table " + table.name() + " is deferrable, and PostgreSQL then skips nothing. Make it"
                            + " NOT DEFERRABLE");
                });
    }

    private static String noKey(TargetTable table, TableDescription loaded, OnConflict mode, List<UniqueIndex> unfit) {
        String reasons = unfit.stream()
                .map(index -> " Its index " + index.name() + " cannot serve, for it "
                        + index.unfitFor(loaded).orElseThrow() + '.')
                .collect(joining());
        return "sink.on-conflict " + mode.name().toLowerCase(Locale.ROOT)
                + " needs a unique index to know rows by, and table "
                + table.name() + " has none over columns that are loaded." + reasons
                + " Make one: CREATE UNIQUE INDEX ON "
                + table.name().sql() + " (" + likelyKey(loaded) + "), or set sink.on-conflict error";
    }

    private static String likelyKey(TableDescription loaded) {
        String key = List.of(loaded.keyColumn(), loaded.timeColumn()).stream()
                .filter(index -> index != TableDescription.NONE)
                .map(index -> Identifiers.quote(loaded.columns().get(index).name()))
                .collect(joining(", "));
        return key.isEmpty() ? "its key" : key;
    }

    /** The end of an INSERT of these columns: what to do on a conflict; empty for {@link OnConflict#ERROR}. */
    public String clause(TableDescription loaded) {
        return switch (mode) {
            case ERROR -> "";
            case SKIP -> " ON CONFLICT DO NOTHING";
            case REPLACE ->
                " ON CONFLICT" + key.stream().map(Identifiers::quote).collect(joining(", ", " (", ") "))
                        + update(loaded);
        };
    }

    private String update(TableDescription loaded) {
        return updates(loaded)
                ? loaded.columns().stream()
                        .map(Column::name)
                        .filter(column -> !key.contains(column))
                        .map(Identifiers::quote)
                        .map(column -> column + " = excluded." + column)
                        .collect(joining(", ", "DO UPDATE SET ", ""))
                : "DO NOTHING";
    }

    /** Whether a conflict changes the row that is there: a row that is nothing but its key has nothing to change. */
    public boolean updates(TableDescription loaded) {
        return mode == OnConflict.REPLACE && loaded.columns().size() > key.size();
    }
}
