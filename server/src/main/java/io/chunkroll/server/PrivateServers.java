package io.chunkroll.server;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Throw-away servers. Each has a folder and, beside it, a file that its process holds locked; a folder whose file nobody holds was left by
 * a process that was killed, and the next one to start a server clears it away.
 */
final class PrivateServers {
    private final CacheFolder cache;
    private final Engines engines;

    PrivateServers(CacheFolder cache) {
        this.cache = cache;
        this.engines = new Engines(cache);
    }

    PostgresServer start(Map<String, String> settings, String password, Consumer<String> progress) {
        ServerSettings checked = ServerSettings.ofPrivate(settings);
        Path all = CacheFolder.makeOpen(cache.privateServers());
        Path folder;
        Lease lease;
        try (FileMutex mutex = FileMutex.acquire(cache.root().resolve("private.lock"), () -> {})) {
            sweep(all);
            folder = Files.createTempDirectory(all, "server-");
            lease = Lease.take(leaseOf(folder));
        } catch (IOException e) {
            throw new ServerUnavailableException("cannot make a folder for a server in " + all + ": " + e, e);
        }
        Engine engine;
        try {
            engine = engines.of(folder, password, progress);
        } catch (RuntimeException e) {
            discard(folder, lease);
            throw e;
        }
        return PostgresServer.started(engine, password, checked, () -> {
            engine.delete();
            discard(folder, lease);
        });
    }

    private static void discard(Path folder, Lease lease) {
        try (lease) {
            Folders.delete(folder);
        } catch (IOException e) {
            throw new ServerUnavailableException("cannot delete " + folder + ": " + e, e);
        }
    }

    private static Path leaseOf(Path folder) {
        return folder.resolveSibling(folder.getFileName() + ".lease");
    }

    private void sweep(Path all) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(all, Files::isDirectory)) {
            for (Path folder : folders) {
                if (!Lease.isHeld(leaseOf(folder))) {
                    engines.existing(folder, "").ifPresent(Engine::delete);
                    Folders.delete(folder);
                    Files.deleteIfExists(leaseOf(folder));
                }
            }
        }
    }
}
