package io.chunkroll.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * The folder that holds the server's programs and data: {@code CHUNKROLL_CACHE}, else {@code $XDG_CACHE_HOME/chunkroll}, else
 * {@code ~/.cache/chunkroll}.
 *
 * <p>Root is a special case. PostgreSQL refuses to run as root, so root's server runs as {@code nobody}, who must be able to reach
 * programs and data. Where the folder lies below one that others cannot enter (as {@code /root} usually is), root's folder is
 * {@code /var/cache/chunkroll}. Data folders and server logs then belong to {@code nobody} and are closed to all others; programs,
 * passwords and locks belong to root.
 *
 * <pre>
 * programs/pg17-1/      PostgreSQL and TimescaleDB, unpacked      install.log   what apt and dpkg said last
 * templates/pg17-1/     an empty cluster that new ones are copied from
 * private/server-…/     throw-away servers; gone when they are closed
 * shared/               the user's own server: password, port, settings, users/, keep-running, cluster/
 * </pre>
 */
record CacheFolder(Path root) {
    private static final Path FOR_ROOT = Path.of("/var/cache/chunkroll");

    static CacheFolder ofUser() {
        CacheFolder cache = choose(System.getenv(), Path.of(System.getProperty("user.home")), ServerAccount.current());
        makeOpen(cache.root());
        return cache;
    }

    static CacheFolder choose(Map<String, String> environment, Path home, ServerAccount account) {
        String own = environment.getOrDefault("CHUNKROLL_CACHE", "");
        if (!own.isEmpty()) {
            Path folder = Path.of(own).toAbsolutePath().normalize();
            if (!account.canEnter(folder)) {
                throw new ServerUnavailableException("CHUNKROLL_CACHE is " + folder
                        + ", which the user 'nobody' cannot enter; root's PostgreSQL runs as 'nobody'. Point it to a folder"
                        + " whose parents all have mode 755, or leave it unset to use " + FOR_ROOT + ".");
            }
            return new CacheFolder(folder);
        }
        String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path folder = (xdg.isEmpty() ? home.resolve(".cache") : Path.of(xdg)).resolve("chunkroll");
        return new CacheFolder(
                account.canEnter(folder) ? folder.toAbsolutePath().normalize() : FOR_ROOT);
    }

    Path programs() {
        return root.resolve("programs");
    }

    Path templates() {
        return root.resolve("templates");
    }

    Path privateServers() {
        return root.resolve("private");
    }

    Path shared() {
        return root.resolve("shared");
    }

    Path installLog() {
        return root.resolve("install.log");
    }

    /** Makes a folder that others can pass through, whatever the umask: root's server must reach what is in it. */
    static Path makeOpen(Path folder) {
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectories(folder);
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            return folder;
        } catch (IOException e) {
            throw new ServerUnavailableException(
                    "cannot make the folder " + folder + " (" + e + "); set CHUNKROLL_CACHE to one you can write to",
                    e);
        }
    }
}
