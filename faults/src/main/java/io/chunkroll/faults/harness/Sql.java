package io.chunkroll.faults.harness;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Short questions to the server. */
final class Sql {
    private Sql() {}

    static String one(Connection connection, String query) throws SQLException {
        return list(connection, query).get(0);
    }

    static long number(Connection connection, String query) throws SQLException {
        return Long.parseLong(one(connection, query));
    }

    /** The first column of all rows. */
    static List<String> list(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            List<String> found = new ArrayList<>();
            while (result.next()) {
                found.add(result.getString(1));
            }
            return found;
        }
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
