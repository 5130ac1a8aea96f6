package io.chunkroll.sinks.table;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.TableDescription;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A unique index of a table as the catalogue has it.
 *
 * @param columns its key columns in their order, expressions left out
 * @param nullsDistinct whether a NULL in it differs from every other NULL
 * @param flaw why rows cannot be known by it, or null
 */
record UniqueIndex(String name, List<String> columns, boolean primary, boolean nullsDistinct, Flaw flaw) {

    /** Why no row can be known by an index, as the end of a sentence about it. */
    enum Flaw {
        PARTIAL("covers only some rows"),
        EXPRESSIONS("is over expressions"),
        DEFERRABLE("is deferrable");

        private final String words;

        Flaw(String words) {
            this.words = words;
        }
    }

    // A column that only newer servers have is asked for by its name as text.
    private static final String LIST = """
            SELECT c.relname, i.indisprimary,
                NOT coalesce((to_jsonb(i) ->> 'indnullsnotdistinct')::boolean, false),
                CASE WHEN i.indpred IS NOT NULL THEN 'PARTIAL' WHEN i.indexprs IS NOT NULL THEN 'EXPRESSIONS'
                    WHEN NOT i.indimmediate THEN 'DEFERRABLE' END,
                ARRAY(SELECT a.attname::text FROM generate_series(0, i.indnkeyatts - 1) k
                    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[k] ORDER BY k)
            FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
            WHERE i.indrelid = to_regclass(?) AND i.indisunique AND i.indisvalid AND i.indisready
            ORDER BY i.indisprimary DESC, c.relname
            """;

    /** Those of the table that are valid, the primary key first. */
    static List<UniqueIndex> list(Connection connection, TableName table) throws SQLException {
        List<UniqueIndex> indexes = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(LIST)) {
            statement.setString(1, table.sql());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String flaw = row.getString(4);
                    String[] columns = (String[]) row.getArray(5).getArray();
                    indexes.add(new UniqueIndex(
                            row.getString(1),
                            List.of(columns),
                            row.getBoolean(2),
                            row.getBoolean(3),
                            flaw == null ? null : Flaw.valueOf(flaw)));
                }
            }
        }
        return indexes;
    }

    /** Why rows that fill only these columns cannot be known by this index; empty if they can. */
    Optional<String> unfitFor(TableDescription loaded) {
        if (flaw != null) {
            return Optional.of(flaw.words);
        }
        List<String> filled = loaded.columns().stream().map(Column::name).toList();
        return columns.stream()
                .filter(column -> !filled.contains(column))
                .findFirst()
                .map(column -> "has the column " + column + ", which is not loaded");
    }
}
