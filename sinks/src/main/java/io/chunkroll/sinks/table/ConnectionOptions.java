package io.chunkroll.sinks.table;

import java.io.Serializable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * How to reach the server.
 *
 * @param url a JDBC URL of the PostgreSQL driver; what it says of time-outs, TLS and other properties is kept, but not
 *     {@code ApplicationName}: by that, a load finds its own connections
 * @param user the role, or null to leave it to the URL
 * @param password its password, or null to leave it to the URL or to {@code .pgpass}
 */
public record ConnectionOptions(String url, String user, String password) implements Serializable {
    /** What is shown in a secret's place. */
    public static final String MASK = "******";

    private static final String CONNECT_SECONDS = "10";
    private static final String SOCKET_SECONDS = "600";
    private static final Driver DRIVER = new Driver();

    /**
     * Opens a connection that commits each statement by itself and whose time zone is UTC.
     *
     * @param purpose shown in {@code pg_stat_activity.application_name}, behind {@code chunkroll}
     */
    public Connection connect(String purpose) throws SQLException {
        Properties properties = new Properties();
        if (user != null) {
            PGProperty.USER.set(properties, user);
        }
        if (password != null) {
            PGProperty.PASSWORD.set(properties, password);
        }
        PGProperty.CONNECT_TIMEOUT.set(properties, CONNECT_SECONDS);
        PGProperty.SOCKET_TIMEOUT.set(properties, SOCKET_SECONDS);
        PGProperty.TCP_KEEP_ALIVE.set(properties, true);
        // Asked first, because the driver's own complaint would show the URL with all that is in it.
        if (Driver.parseURL(url, null) == null) {
            throw new SQLException("The driver cannot read this URL; it wants jdbc:postgresql://HOST:PORT/DATABASE?…");
        }
        // Not DriverManager's: on a cluster, that one looks for drivers once, and later jobs bring class loaders of
        // their own.
        Connection connection = DRIVER.connect(url, properties);
        try (Statement statement = connection.createStatement()) {
            // The driver sets the session's zone to that of this JVM: texts that the server parses must not depend on
            // it. A client that is gone without a word, its locks with it, is noticed in a minute and a half instead of
            // two hours. The name is not the driver's property, which one in the URL would replace.
            statement.execute("SET TimeZone = 'UTC'; SET tcp_keepalives_idle = 60; SET tcp_keepalives_interval = 10;"
                    + " SET tcp_keepalives_count = 3; SET application_name = 'chunkroll " + purpose.replace("'", "''")
                    + "'");
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** The URL without its parameters, where passwords may stand; for messages. */
    public String displayUrl() {
        int parameters = url.indexOf('?');
        return masked(parameters < 0 ? url : url.substring(0, parameters));
    }

    /** A URL in which passwords, and what stands before an @ for one, are hidden. */
    public static String masked(String url) {
        return url.replaceAll("(?i)(password=)[^&]*", "$1" + MASK).replaceAll("//[^/?]*@", "//" + MASK + '@');
    }

    @Override
    public String toString() {
        return displayUrl() + (user == null ? "" : " as " + user);
    }
}
