package io.chunkroll.sinks.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * What makes an index of a table, or the constraint that it belongs to, on another table. The server chooses the name, as it does for a
 * partition's index.
 *
 * @param begin the statement up to the table's name
 * @param end the statement behind it
 */
record IndexSql(String begin, String end, boolean unique) {
    // The server has a function that writes an index's definition, but none that writes it for another table.
    private static final String LIST = """
            SELECT k.def, s.start, substr(x.def, length(x.start) + 1), i.indisunique, starts_with(x.def, x.start)
            FROM pg_index i
            JOIN pg_class c ON c.oid = i.indexrelid
            JOIN pg_class t ON t.oid = i.indrelid
            JOIN pg_namespace n ON n.oid = t.relnamespace
            CROSS JOIN LATERAL (SELECT 'CREATE ' || CASE WHEN i.indisunique THEN 'UNIQUE ' ELSE '' END || 'INDEX ' AS start) s
            CROSS JOIN LATERAL (SELECT pg_get_indexdef(i.indexrelid) AS def,
                s.start || quote_ident(c.relname) || ' ON ' || CASE t.relkind WHEN 'p' THEN 'ONLY ' ELSE '' END
                || format('%I.%I ', n.nspname, t.relname) AS start) x
            LEFT JOIN LATERAL (SELECT ' ADD ' || pg_get_constraintdef(oid) AS def FROM pg_constraint
                WHERE conindid = i.indexrelid AND conrelid = i.indrelid AND contype IN ('p', 'u', 'x')) k ON true
            WHERE i.indrelid = to_regclass(?) ORDER BY i.indexrelid
            """;

    /** Those of all indexes of the table. */
    static List<IndexSql> of(Connection connection, TableName table) throws SQLException {
        List<IndexSql> indexes = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(LIST)) {
            statement.setString(1, table.sql());
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String constraint = row.getString(1);
                    if (constraint == null && !row.getBoolean(5)) {
                        throw new SQLException("An index of table " + table
                                + " has a definition that is not understood: " + row.getString(3));
                    }
                    indexes.add(
                            constraint == null
                                    ? new IndexSql(row.getString(2) + "ON ", row.getString(3), row.getBoolean(4))
                                    : new IndexSql("ALTER TABLE ", constraint, row.getBoolean(4)));
                }
            }
        }
        return indexes;
    }

    String on(TableName table) {
        return begin + table.sql() + end;
    }
}
