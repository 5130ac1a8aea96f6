package io.chunkroll.server;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A fresh schema for one test, on a real server that all tests of the JVM share. The server is private to the JVM, starts when the first
 * test asks for it, and is gone when the JVM exits. Tests that stop or kill a server start one of their own.
 */
public final class TestDatabase implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final PostgresServer server;
    private final String schema;

    private TestDatabase(PostgresServer server, String schema) {
        this.server = server;
        this.schema = schema;
    }

    /** Made when it is first touched. */
    private static final class Server {
        static final PostgresServer INSTANCE = PostgresServer.startPrivate(Map.of());
    }

    public static TestDatabase create() {
        TestDatabase database = new TestDatabase(Server.INSTANCE, "test_" + COUNT.incrementAndGet());
        database.execute("CREATE SCHEMA " + database.schema);
        return database;
    }

    public PostgresServer server() {
        return server;
    }

    public String schema() {
        return schema;
    }

    /** Tables without a schema are looked for, and made, in the test's own; the extension's functions are in {@code public}. */
    public String url() {
        return server.jdbcUrl() + "?currentSchema=" + schema + ",public";
    }

    public String user() {
        return server.user();
    }

    public String password() {
        return server.password();
    }

    /** The caller closes it. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url(), user(), password());
    }

    public void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(sql + ": " + e.getMessage(), e);
        }
    }

    /** The first column of the first row as text; null for a NULL, and where there is no row. */
    public String one(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        } catch (SQLException e) {
            throw new AssertionError(sql + ": " + e.getMessage(), e);
        }
    }

    /** The number that the query gives. */
    public long count(String sql) {
        return Long.parseLong(one(sql));
    }

    /** Does not wait for ever for what a test that failed has left. */
    @Override
    public void close() {
        execute("SET lock_timeout = '30s'; DROP SCHEMA " + schema + " CASCADE");
    }
}
