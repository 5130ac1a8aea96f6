package io.chunkroll.sinks.tags;

import static java.util.stream.Collectors.joining;

import io.chunkroll.rows.Column;
import io.chunkroll.sinks.table.Identifiers;
import io.chunkroll.sinks.table.TableName;
import io.chunkroll.sinks.table.TargetException;
import io.chunkroll.sinks.table.TargetTable;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * The table of tags.
 *
 * @param name its name
 * @param tags its columns behind {@code id}; the first tells the hosts apart
 */
public record TagsTable(TableName name, List<Column> tags) implements Serializable {
    private static final String ID = "id";
    private static final int COPY_BYTES = 1 << 16;
    private static final String UNIQUE_HOST = """
            SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
            WHERE i.indrelid = ?::regclass AND i.indisunique AND i.indnkeyatts = 1 AND i.indpred IS NULL AND i.indexprs IS NULL
                AND a.attname = ?
            """;

    public TagsTable {
        tags = List.copyOf(tags);
    }

    /**
     * Makes the table if it is not there.
     *
     * @param anew whether one that is there is dropped
     * @throws TargetException if one that is there has other columns
     */
    public void make(Connection connection, boolean anew) throws SQLException {
        String columns = tags.stream()
                .map(tag -> ", " + Identifiers.quote(tag.name()) + ' ' + tag.sqlType())
                .collect(joining());
        try (Statement statement = connection.createStatement()) {
            if (anew) {
                statement.execute("DROP TABLE IF EXISTS " + name.sql());
            }
            statement.execute("CREATE TABLE IF NOT EXISTS " + name.sql() + " (id serial PRIMARY KEY" + columns
                    + ", UNIQUE (" + host() + "))");
        }
        check(connection);
    }

    /** @throws TargetException if the table is not there, or lacks a column or the key by which hosts are told apart */
    public void check(Connection connection) throws SQLException {
        TargetTable found = TargetTable.read(connection, name)
                .orElseThrow(
                        () -> new TargetException(
                                "Table " + name
                                        + " (sink.tags-table) does not exist and sink.create is never: make it, or set sink.create if-missing"));
        List<String> missing = new ArrayList<>(tags.stream().map(Column::name).toList());
        missing.add(ID);
        missing.removeIf(column -> found.columns().indexOf(column) >= 0);
        if (!missing.isEmpty()) {
            throw new TargetException(
                    "Table " + name + " (sink.tags-table) has no column " + String.join(", ", missing)
                            + "; it has " + found.columns()
                            + ". Name another in sink.tags-table, or drop this one, which sink.create recreate does for a run on this machine");
        }
        if (!hasKey(connection)) {
            throw new TargetException("Table " + name + " (sink.tags-table) has no unique index on "
                    + tags.get(0).name() + " alone, without which a host could be added twice: make one");
        }
    }

    private boolean hasKey(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(UNIQUE_HOST)) {
            statement.setString(1, name.sql());
            statement.setString(2, tags.get(0).name());
            try (ResultSet row = statement.executeQuery()) {
                return row.next();
            }
        }
    }

    /** The column that tells the hosts apart, as SQL. */
    String host() {
        return Identifiers.quote(tags.get(0).name());
    }

    String columns() {
        return tags.stream().map(tag -> Identifiers.quote(tag.name())).collect(joining(", "));
    }

    /**
     * Adds the hosts that are missing, so that hosts 1 to {@code hosts} are there.
     *
     * @param values the tags of a host, whose id is one more than its number, which counts from 0
     * @return how many were added
     * @throws TargetException if the hosts that are there are others
     */
    public int fill(Connection connection, int hosts, IntFunction<List<String>> values) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            // Of two loads that fill it at once, one waits for the other and finds its hosts.
            statement.execute("LOCK TABLE " + name.sql() + " IN SHARE ROW EXCLUSIVE MODE");
            int there = there(connection, values);
            if (there < hosts) {
                copy(connection, there, hosts, values);
            }
            connection.commit();
            return Math.max(0, hosts - there);
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    private void copy(Connection connection, int there, int hosts, IntFunction<List<String>> values)
            throws SQLException {
        CopyIn copy = connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("COPY " + name.sql() + " (id, " + columns() + ") FROM STDIN");
        try {
            StringBuilder rows = new StringBuilder();
            for (int host = there; host < hosts; host++) {
                rows.append(host + 1);
                values.apply(host).forEach(value -> rows.append('\t').append(escaped(value)));
                rows.append('\n');
                if (rows.length() > COPY_BYTES || host == hosts - 1) {
                    byte[] bytes = rows.toString().getBytes(StandardCharsets.UTF_8);
                    copy.writeToCopy(bytes, 0, bytes.length);
                    rows.setLength(0);
                }
            }
            copy.endCopy();
        } finally {
            if (copy.isActive()) {
                copy.cancelCopy();
            }
        }
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT setval(pg_get_serial_sequence(?, 'id'), ?)")) {
            statement.setString(1, name.sql());
            statement.setInt(2, hosts);
            statement.executeQuery().close();
        }
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }

    /** How many of the hosts are there: the first ones. */
    private int there(Connection connection, IntFunction<List<String>> values) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT count(*), coalesce(min(id), 1), coalesce(max(id), 0) FROM " + name.sql())) {
            row.next();
            int last = row.getInt(3);
            boolean dense = row.getInt(2) == 1 && row.getLong(1) == last;
            if (!dense || (last > 0 && !(has(connection, 0, values) && has(connection, last - 1, values)))) {
                throw new TargetException("Table " + name
                        + " (sink.tags-table) holds other hosts than those that are generated, or with other tags: name another in"
                        + " sink.tags-table, give the source.seed of the load that filled it, or let sink.create recreate make both tables"
                        + " anew, which it does for a run on this machine");
            }
            return last;
        }
    }

    private boolean has(Connection connection, int host, IntFunction<List<String>> values) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT " + columns() + " FROM " + name.sql() + " WHERE id = " + (host + 1))) {
            List<String> found = new ArrayList<>();
            if (row.next()) {
                for (int i = 1; i <= tags.size(); i++) {
                    found.add(row.getString(i));
                }
            }
            return found.equals(values.apply(host));
        }
    }
}
