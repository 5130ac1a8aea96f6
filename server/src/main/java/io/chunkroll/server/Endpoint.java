package io.chunkroll.server;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** Where our server listens, and with what password; the empty one where none is asked for. */
record Endpoint(int port, String password) {
    static final String HOST = "127.0.0.1";

    String url(String database) {
        return "jdbc:postgresql://" + HOST + ":" + port + "/" + database;
    }

    Connection connect(String database) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", ClusterTemplate.USER);
        properties.setProperty("password", password);
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("socketTimeout", "60");
        return DriverManager.getConnection(url(database), properties);
    }

    boolean answers() {
        try (Connection connection = connect(ClusterTemplate.DATABASE)) {
            return connection.isValid(5);
        } catch (SQLException e) {
            return false;
        }
    }

    void execute(String database, String sql) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of the first row as text. */
    String one(String sql) throws SQLException {
        try (Connection connection = connect(ClusterTemplate.DATABASE);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : "";
        }
    }
}
