package io.chunkroll.job.run;

import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.Settings.SinkKind;
import io.chunkroll.server.PostgresServer;
import io.chunkroll.server.ServerUsage;
import io.chunkroll.sinks.table.ConnectionOptions;
import io.chunkroll.sinks.table.TableName;
import io.chunkroll.sinks.table.TargetException;
import io.chunkroll.sinks.table.TargetTable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.apache.flink.util.ExceptionUtils;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server of a run: the one given, the embedded one for as long as the run lasts, or none where rows are discarded. */
public final class Target implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Target.class);

    private final Optional<ConnectionOptions> connection;
    private final Optional<PostgresServer> embedded;

    private Target(Optional<ConnectionOptions> connection, Optional<PostgresServer> embedded) {
        this.connection = connection;
        this.embedded = embedded;
    }

    /**
     * Reaches the server, and starts the embedded one if it is the one and does not run.
     *
     * @param progress gets short lines about what takes a while
     * @throws TargetException if nobody answers, or it lets us not in, with the settings to look at
     */
    public static Target open(Settings settings, Consumer<String> progress) {
        if (settings.sink().kind() == SinkKind.DISCARD) {
            return new Target(Optional.empty(), Optional.empty());
        }
        Optional<ConnectionOptions> given = settings.sink().server();
        if (given.isPresent()) {
            check(given.get());
            return new Target(given, Optional.empty());
        }
        PostgresServer server = PostgresServer.joinShared(settings.server(), progress);
        return new Target(
                Optional.of(new ConnectionOptions(server.jdbcUrl(), server.user(), server.password())),
                Optional.of(server));
    }

    /**
     * The server of a load on a cluster, if it can be reached from here, too.
     *
     * @param progress hears why it cannot, and what that means
     */
    static Target ofCluster(Settings settings, Consumer<String> progress) {
        try {
            return open(settings, progress);
        } catch (TargetException e) {
            progress.accept("The table is not watched from here, and only the cluster's own figures are told. "
                    + e.getMessage());
            return new Target(Optional.empty(), Optional.empty());
        }
    }

    /** Opens a connection and closes it again, so that a wrong setting is told as one, and before the job starts. */
    static void check(ConnectionOptions options) {
        try (Connection connection = options.connect("setup")) {
            connection.isValid(0);
        } catch (SQLException e) {
            throw new TargetException(explain(options, e), e);
        }
    }

    private static String explain(ConnectionOptions options, SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        String said = " (" + Failures.oneLine(e.getMessage()) + ")";
        String user = options.user() == null ? "the user of sink.url" : "user " + options.user();
        if (ExceptionUtils.findThrowable(e, SSLException.class).isPresent()) {
            return "The certificate of the server at " + options.displayUrl()
                    + " is not accepted: check sslmode and sslrootcert in sink.url" + said;
        }
        return switch (state) {
            case "28P01" ->
                "The server at " + options.displayUrl() + " does not accept the password of " + user
                        + ": set sink.password, CHUNKROLL_PASSWORD or a line in .pgpass" + said;
            case "28000" ->
                "The server at " + options.displayUrl() + " does not let " + user
                        + " in: set sink.user, or allow it in the server's pg_hba.conf" + said;
            case "3D000" ->
                "The server of sink.url has no database of that name: create it, or correct sink.url" + said;
            case "08001", "08006", "08004" ->
                ExceptionUtils.findThrowable(e, IOException.class).isEmpty()
                        ? "The server at " + options.displayUrl() + " cannot be reached as sink.url, sink.user and"
                                + " sink.password say" + said
                        : "No server answers at " + options.displayUrl()
                                + ": check host and port in sink.url and whether it runs, or leave sink.url out to use the embedded server"
                                + said;
            default -> "The server at " + options.displayUrl() + " (sink.url) cannot be used" + said;
        };
    }

    /** Connects to the server, which there must be. */
    public Connection connect(String purpose) throws SQLException {
        return connection.orElseThrow().connect(purpose);
    }

    /** How to reach the server, which there must be. */
    public ConnectionOptions server() {
        return connection.orElseThrow();
    }

    Optional<ConnectionOptions> connection() {
        return connection;
    }

    /** Makes the table that the settings tell of, as a run does before its first row. */
    public void makeTable(Settings settings) {
        Load.into(settings, connection.orElseThrow());
    }

    /** The rows in the table that the settings name. */
    public long count(Settings settings) throws SQLException {
        try (Connection open = connect("setup")) {
            return TargetTable.read(open, TableName.parse(settings.sink().table()))
                    .orElseThrow()
                    .count(open);
        }
    }

    public void execute(String sql) throws SQLException {
        try (Connection open = connect("setup");
                Statement statement = open.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Lets the server write down what it still has in memory, so that the next load does not pay for the last; where we may. */
    public void checkpoint() {
        try {
            execute("CHECKPOINT");
        } catch (SQLException e) {
            LOG.warn("No CHECKPOINT before the run: {}", e.getMessage());
        }
    }

    /** psql, ready for more words: the embedded server's own, or for a server elsewhere the one in the path. */
    public ProcessBuilder psql() {
        if (embedded.isPresent()) {
            return embedded.get().psql(List.of());
        }
        ConnectionOptions options = connection.orElseThrow();
        Properties url = Driver.parseURL(options.url(), null);
        ProcessBuilder builder = new ProcessBuilder("psql");
        Map<String, String> environment = builder.environment();
        environment.put("PGHOST", PGProperty.PG_HOST.getOrDefault(url));
        environment.put("PGPORT", PGProperty.PG_PORT.getOrDefault(url));
        environment.put("PGDATABASE", PGProperty.PG_DBNAME.getOrDefault(url));
        Optional.ofNullable(options.user()).ifPresent(user -> environment.put("PGUSER", user));
        Optional.ofNullable(options.password()).ifPresent(password -> environment.put("PGPASSWORD", password));
        return builder;
    }

    /** What the embedded server takes from now on; empty for a server elsewhere. */
    public Optional<ServerUsage> usage() {
        return embedded.map(ServerUsage::of);
    }

    boolean isEmbedded() {
        return embedded.isPresent();
    }

    @Override
    public void close() {
        embedded.ifPresent(PostgresServer::close);
    }
}
