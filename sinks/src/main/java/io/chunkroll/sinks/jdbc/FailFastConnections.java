package io.chunkroll.sinks.jdbc;

import io.chunkroll.sinks.copy.RetryPolicy;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.apache.flink.connector.jdbc.JdbcConnectionOptions;
import org.apache.flink.connector.jdbc.datasource.connections.SimpleJdbcConnectionProvider;

/**
 * Keeps the connector from trying again what cannot pass by itself. It tries again after every {@link SQLException}, for seconds, and
 * lets all other exceptions through; so a batch that the server refuses for good leaves its statement as one of these.
 */
final class FailFastConnections extends SimpleJdbcConnectionProvider {
    private static final long serialVersionUID = 1L;

    /** The server refuses a batch for good; its own exception is the cause. */
    static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private RefusedException(SQLException cause) {
            super(cause);
        }
    }

    FailFastConnections(JdbcConnectionOptions options) {
        super(options);
    }

    @Override
    public Connection getConnection() {
        return watched(super.getConnection());
    }

    @Override
    public Connection reestablishConnection() throws SQLException, ClassNotFoundException {
        return watched(super.reestablishConnection());
    }

    private static Connection watched(Connection connection) {
        return proxy(Connection.class, (proxy, method, arguments) -> {
            Object result = call(connection, method, arguments);
            return result instanceof PreparedStatement statement ? watched(statement) : result;
        });
    }

    private static PreparedStatement watched(PreparedStatement statement) {
        return proxy(PreparedStatement.class, (proxy, method, arguments) -> {
            try {
                return call(statement, method, arguments);
            } catch (SQLException e) {
                throw method.getName().equals("executeBatch") && !RetryPolicy.isTransient(e)
                        ? new RefusedException(e)
                        : e;
            }
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
