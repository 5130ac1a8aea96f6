package io.chunkroll.sinks.table;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What a server's TimescaleDB says of itself. */
final class Timescale {
    private Timescale() {}

    static boolean isInstalled(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT 1 FROM pg_extension WHERE extname = 'timescaledb'")) {
            return row.next();
        }
    }
}
