package io.chunkroll.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * An empty cluster with the role, the database and the extension in it. A new server's data are a copy of it, which takes a tenth of a
 * second where making them takes three.
 */
final class ClusterTemplate {
    static final String USER = "chunkroll";
    static final String DATABASE = "chunkroll";
    static final String SETTINGS_FILE = "chunkroll.conf";

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private ClusterTemplate() {}

    /** Run under the install lock. The folder appears when it is complete. */
    static void make(Programs programs, ServerAccount account, Path target) throws IOException {
        CacheFolder.makeOpen(target.getParent());
        Path work = target.resolveSibling("making-" + ProcessHandle.current().pid());
        try {
            Path data = account.makePrivate(account.makePrivate(work).resolve("data"));
            initdb(programs, account, data);
            NativeEngine engine = new NativeEngine(programs, account, work, target, "");
            try {
                int port = FreePort.use(free -> engine.start(free, ServerSettings.ofPrivate(Map.of())));
                Endpoint endpoint = new Endpoint(port, "");
                endpoint.execute("postgres", "CREATE DATABASE " + DATABASE);
                endpoint.execute(DATABASE, "CREATE EXTENSION timescaledb");
            } catch (SQLException e) {
                throw new ServerUnavailableException(
                        "cannot make an empty database in " + data + ": " + e.getMessage(), e);
            } finally {
                engine.stop();
            }
            Files.deleteIfExists(data.resolve("postmaster.opts"));
            Files.move(data, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Folders.delete(work);
        }
    }

    /** The locale is PostgreSQL's own C.UTF-8: the same order on every host, whatever locales that has. */
    private static void initdb(Programs programs, ServerAccount account, Path data) throws IOException {
        account.command(List.of(
                        programs.program("initdb").toString(),
                        "--pgdata=" + data,
                        "--username=" + USER,
                        "--encoding=UTF8",
                        "--locale=C",
                        "--locale-provider=builtin",
                        "--builtin-locale=C.UTF-8",
                        "--auth=trust",
                        "--no-sync",
                        "--no-instructions"))
                .run(LIMIT)
                .orThrow("initdb in " + data);
        Path file = data.resolve("postgresql.conf");
        account.write(file, Files.readString(file) + "\ninclude '" + SETTINGS_FILE + "'\n");
    }
}
