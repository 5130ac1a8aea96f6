package io.chunkroll.server;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running PostgreSQL 17 server with TimescaleDB on this machine, with a database {@code chunkroll} that has the extension, owned by the
 * superuser {@code chunkroll}. It listens on 127.0.0.1 only.
 *
 * <p>A server is either <em>private</em>: made for one use and gone, data and all, when it is closed; or the user's <em>shared</em> one,
 * which is started by the first process that joins it and stopped by the last that leaves, and keeps its data. See {@link SharedServer}
 * for the latter.
 *
 * <p>Close it in the thread that uses it. What is still open when the JVM exits (also by Ctrl-C) is closed then; what a killed JVM leaves
 * running is cleared away by the next one. Methods may be called from several threads.
 */
public final class PostgresServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresServer.class);
    private static final Set<PostgresServer> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(PostgresServer::closeAll, "chunkroll-server-close"));
    }

    private final Engine engine;
    private final String password;
    private final ServerSettings settings;
    private final Runnable onClose;
    private volatile int port;
    private boolean closed;

    private PostgresServer(Engine engine, String password, ServerSettings settings, Runnable onClose) {
        this.engine = engine;
        this.password = password;
        this.settings = settings;
        this.onClose = onClose;
    }

    /**
     * Starts a throw-away server that lets everyone on this host in. The first call on a machine installs PostgreSQL, which takes half a
     * minute; later ones take about a second.
     *
     * @param settings PostgreSQL settings such as {@code shared_buffers} → {@code 32MB}; over chunkroll's own (64 MB of buffers, JIT off,
     *     UTC, 64 prepared transactions, 100 connections)
     * @throws ServerUnavailableException if it cannot be installed, or does not start with these settings
     */
    public static PostgresServer startPrivate(Map<String, String> settings) {
        return startPrivate(settings, "");
    }

    /** Likewise, but the server asks for the password (scram-sha-256). An empty one is none. */
    public static PostgresServer startPrivate(Map<String, String> settings, String password) {
        return new PrivateServers(CacheFolder.ofUser()).start(settings, password, LOG::info);
    }

    /**
     * Joins the user's own server, and starts it first where it is not running. It keeps its data in the cache folder. Closing leaves it;
     * the last to leave stops it, unless it was started with {@link SharedServer#start}.
     *
     * @param settings PostgreSQL settings it must run with; none: as it is. It is restarted if it runs with others and nobody uses it
     * @param progress gets short lines about what takes a while
     * @throws ServerUnavailableException if it cannot be installed or started, or others use it with other settings
     */
    public static PostgresServer joinShared(Map<String, String> settings, Consumer<String> progress) {
        return SharedServer.ofUser().join(settings, progress);
    }

    /** What is wrong with the names of settings, as far as that can be told without a server; each fault names its setting. */
    public static List<String> faultsOf(Map<String, String> settings) {
        return ServerSettings.faultsOf(settings);
    }

    /** Starts a server on any free port. When it does not start, {@code onClose} is run before the exception is thrown. */
    static PostgresServer started(Engine engine, String password, ServerSettings settings, Runnable onClose) {
        PostgresServer server = new PostgresServer(engine, password, settings, onClose);
        OPEN.add(server);
        try {
            server.port = FreePort.use(free -> engine.start(free, settings));
            server.refuseUnknownSettings();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** A server that runs already. */
    static PostgresServer joined(Engine engine, Endpoint endpoint, ServerSettings settings, Runnable onClose) {
        PostgresServer server = new PostgresServer(engine, endpoint.password(), settings, onClose);
        server.port = endpoint.port();
        OPEN.add(server);
        return server;
    }

    private void refuseUnknownSettings() {
        List<String> unknown = settings.unknownTo(new Endpoint(port, password));
        if (!unknown.isEmpty()) {
            throw new ServerUnavailableException("PostgreSQL does not know the setting " + String.join(", ", unknown)
                    + "; correct or remove it (SELECT name FROM pg_settings lists all)");
        }
    }

    /** For JDBC, without user and password. */
    public String jdbcUrl() {
        return new Endpoint(port, password).url(ClusterTemplate.DATABASE);
    }

    /** Always the loopback address. */
    public String host() {
        return Endpoint.HOST;
    }

    /** Stays the same while the server is stopped. */
    public int port() {
        return port;
    }

    /** A superuser. */
    public String user() {
        return ClusterTemplate.USER;
    }

    /** Empty where the server asks for none. */
    public String password() {
        return password;
    }

    /** A new connection as {@link #user()}; the caller closes it. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), user(), password);
    }

    /** The number of the server's main process; empty when it is not running, or in a container. */
    public OptionalLong postmasterPid() {
        return engine.postmasterPid();
    }

    /** Whether it runs in a container, whose processes this host does not count as the server's. */
    boolean isInContainer() {
        return engine instanceof DockerEngine;
    }

    /** Breaks off what clients do and stops the server; also a shared one, whoever uses it. */
    public synchronized void stop() {
        engine.stop();
    }

    /** Starts it again after {@link #stop()} or {@link #kill()}, on the same port and data. Does nothing while it runs. */
    public synchronized void start() {
        if (closed) {
            throw new IllegalStateException("the server is closed");
        }
        if (engine.isRunning()) {
            return;
        }
        try {
            engine.start(port, settings);
        } catch (FreePort.TakenException e) {
            throw new ServerUnavailableException(
                    "the server's port " + port + " was taken by another program while it was stopped", e);
        }
    }

    /** {@link #stop()}, then {@link #start()}. */
    public synchronized void restart() {
        stop();
        start();
    }

    /** Kills all its processes at once, as a crash would. {@link #start()} brings it back with what was committed. */
    public synchronized void kill() {
        engine.kill();
    }

    /** Halts all its processes: connections stay open and nothing answers, until {@link #thaw()}. */
    public synchronized void freeze() {
        engine.freeze();
    }

    /** Lets frozen processes go on where they were. */
    public synchronized void thaw() {
        engine.thaw();
    }

    /** psql on the database, ready to be started by the caller, who also chooses where input and output go. */
    public ProcessBuilder psql(List<String> arguments) {
        List<String> words = new ArrayList<>(engine.psql());
        words.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment()
                .putAll(Map.of(
                        "PGHOST", host(),
                        "PGPORT", String.valueOf(port),
                        "PGUSER", user(),
                        "PGDATABASE", ClusterTemplate.DATABASE,
                        "PGPASSWORD", password));
        return builder;
    }

    /**
     * Takes the server out of what is closed by itself when the JVM exits. For a caller that needs it in a shutdown hook of its own
     * (such hooks run all at once), and closes it there.
     */
    public void keepOpenAtExit() {
        OPEN.remove(this);
    }

    /**
     * Stops and deletes a private server; leaves a shared one. Closing again does nothing. Neither an interrupt nor the exit of the JVM
     * keeps it from finishing.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        boolean interrupted = Thread.interrupted();
        try {
            onClose.run();
        } finally {
            OPEN.remove(this);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void closeAll() {
        for (PostgresServer server : OPEN) {
            try {
                server.close();
            } catch (RuntimeException e) {
                LOG.warn("could not close the server on port {}", server.port, e);
            }
        }
    }
}
