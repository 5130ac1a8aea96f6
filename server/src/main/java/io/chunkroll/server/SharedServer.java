package io.chunkroll.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The user's own server, which all processes of that user share. Its data outlive it, in the cache folder.
 *
 * <p>Every process that uses it holds a lease, a locked file that the kernel lets go when the process ends, however it ends. The last one
 * to leave stops the server, unless {@link #start} asked it to stay. Starting, stopping, joining and leaving happen one at a time.
 */
public final class SharedServer {
    private final CacheFolder cache;
    private final Engines engines;
    private final SharedFiles files;

    SharedServer(CacheFolder cache) {
        this.cache = cache;
        this.engines = new Engines(cache);
        this.files = new SharedFiles(cache.shared());
    }

    /** That of the user who runs this process; nothing is started or made yet. */
    public static SharedServer ofUser() {
        return new SharedServer(CacheFolder.ofUser());
    }

    PostgresServer join(Map<String, String> settings, Consumer<String> progress) {
        ServerSettings asked = ServerSettings.of(settings);
        try (FileMutex mutex = lock(progress)) {
            Engine engine = engines.of(files.cluster(), files.passwordOrNew(), progress);
            ServerSettings running = ensureRunning(engine, asked, progress);
            Lease lease = files.newLease();
            return PostgresServer.joined(engine, endpoint(), running, () -> leave(engine, lease));
        }
    }

    private void leave(Engine engine, Lease lease) {
        try (FileMutex mutex = lock(line -> {})) {
            lease.close();
            if (files.users().isEmpty() && !files.staysUp()) {
                engine.stop();
            }
        }
    }

    /** Returns the settings that it runs with. */
    private ServerSettings ensureRunning(Engine engine, ServerSettings asked, Consumer<String> progress) {
        if (engine.isRunning() && !endpoint().answers()) {
            refuseWhileUsed("it does not answer on port " + files.port());
            progress.accept("the server runs but does not answer; restarting it");
            engine.stop();
        }
        if (engine.isRunning()) {
            ServerSettings running = ServerSettings.of(files.settings());
            List<String> differences = running.differencesTo(asked);
            if (asked.given().isEmpty() || differences.isEmpty()) {
                return running;
            }
            refuseWhileUsed("it runs with other settings: " + String.join("; ", differences));
            progress.accept("restarting the server with the settings given");
            engine.stop();
        } else {
            progress.accept("starting PostgreSQL");
        }
        start(engine, asked);
        return asked;
    }

    private void start(Engine engine, ServerSettings settings) {
        OptionalLong before = files.port();
        if (before.isPresent() && FreePort.isFree((int) before.getAsLong())) {
            try {
                startOn((int) before.getAsLong(), engine, settings);
                return;
            } catch (FreePort.TakenException e) {
                // Someone was quicker: any other port will do.
            }
        }
        FreePort.use(port -> startOn(port, engine, settings));
    }

    private void startOn(int port, Engine engine, ServerSettings settings) {
        engine.start(port, settings);
        files.writePort(port);
        files.writeSettings(settings.given());
        List<String> unknown = settings.unknownTo(endpoint());
        if (!unknown.isEmpty()) {
            engine.stop();
            throw new ServerUnavailableException("PostgreSQL does not know the setting " + String.join(", ", unknown)
                    + "; correct or remove it (SELECT name FROM pg_settings lists all)");
        }
    }

    private void refuseWhileUsed(String why) {
        List<Long> users = files.users();
        if (!users.isEmpty()) {
            throw new ServerUnavailableException("The embedded server is in use by " + named(users) + ", and " + why
                    + ". Wait until they are done, end them, or leave the server.* settings out to use it as it is.");
        }
    }

    private static String named(List<Long> users) {
        return users.size() + (users.size() == 1 ? " process (pid " : " processes (pids ")
                + users.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ")";
    }

    /**
     * Starts it to stay until {@link #stop}. If it runs already it is asked to stay.
     *
     * @throws ServerUnavailableException as {@link PostgresServer#joinShared} does
     */
    public void start(Map<String, String> settings, Consumer<String> progress) {
        ServerSettings asked = ServerSettings.of(settings);
        try (FileMutex mutex = lock(progress)) {
            ensureRunning(engines.of(files.cluster(), files.passwordOrNew(), progress), asked, progress);
            files.writeStaysUp();
        }
    }

    /**
     * Stops it. Does nothing if it is not running.
     *
     * @param force also while other processes use it: their connections break
     * @throws ServerUnavailableException while others use it, without force
     */
    public void stop(boolean force) {
        if (!Files.isDirectory(cache.shared())) {
            return;
        }
        try (FileMutex mutex = lock(line -> {})) {
            stopLocked(force);
        }
    }

    private void stopLocked(boolean force) {
        if (!force) {
            refuseUse("stopped");
        }
        existing().ifPresent(Engine::stop);
        files.deleteStaysUp();
    }

    private void refuseUse(String what) {
        List<Long> users = files.users();
        if (!users.isEmpty()) {
            throw new ServerUnavailableException("The embedded server is in use by " + named(users) + "; it is not "
                    + what + ". End them first, or force it: what they have not committed is lost.");
        }
    }

    /**
     * Deletes its data and makes an empty database. It is left as it was, stopped or to stay.
     *
     * @throws ServerUnavailableException while others use it, without force
     */
    public void reset(boolean force, Consumer<String> progress) {
        try (FileMutex mutex = lock(progress)) {
            boolean stays = files.staysUp();
            stopLocked(force);
            Engine engine = engines.of(files.cluster(), files.passwordOrNew(), progress);
            engine.delete();
            progress.accept("deleted the data; making an empty database");
            start(engine, ServerSettings.of(stays ? files.settings() : Map.of()));
            if (stays) {
                files.writeStaysUp();
            } else {
                engine.stop();
            }
        }
    }

    /** Its JDBC URL, if it runs. */
    public Optional<String> url() {
        return existing().filter(Engine::isRunning).map(engine -> endpoint().url(ClusterTemplate.DATABASE));
    }

    /** A program of PostgreSQL such as {@code pg_dump}; empty before the first start, and where Docker is used. */
    public Optional<Path> program(String name) {
        return engines.programs().map(programs -> programs.program(name)).filter(Files::isExecutable);
    }

    /** What can be told without starting anything. */
    public ServerStatus status() {
        Optional<Engine> running = existing().filter(Engine::isRunning);
        Optional<Endpoint> answering = running.map(engine -> endpoint()).filter(Endpoint::answers);
        return new ServerStatus(
                running.isPresent(),
                files.staysUp(),
                answering.map(endpoint -> endpoint.url(ClusterTemplate.DATABASE)),
                answering.map(endpoint -> ask(endpoint, "SELECT current_setting('server_version')")),
                answering.map(
                        endpoint -> ask(endpoint, "SELECT extversion FROM pg_extension WHERE extname = 'timescaledb'")),
                files.cluster().resolve("data"),
                files.passwordFile(),
                files.clusterBytes(),
                running.map(Engine::postmasterPid).orElse(OptionalLong.empty()),
                answering
                        .map(endpoint -> ask(
                                endpoint,
                                "SELECT floor(extract(epoch FROM now() - pg_postmaster_start_time()))::bigint"))
                        .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds))),
                files.users());
    }

    private static String ask(Endpoint endpoint, String sql) {
        try {
            return endpoint.one(sql);
        } catch (SQLException e) {
            throw new ServerUnavailableException("the embedded server does not answer: " + e.getMessage(), e);
        }
    }

    private Optional<Engine> existing() {
        return files.password().flatMap(password -> engines.existing(files.cluster(), password));
    }

    private Endpoint endpoint() {
        return new Endpoint((int) files.port().orElse(0), files.password().orElse(""));
    }

    private FileMutex lock(Consumer<String> progress) {
        CacheFolder.makeOpen(cache.shared());
        return FileMutex.acquire(
                cache.shared().resolve("lock"),
                () -> progress.accept("another process is starting or stopping the server; waiting for it"));
    }
}
