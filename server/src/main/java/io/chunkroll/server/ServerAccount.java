package io.chunkroll.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * The operating-system user that the server runs as: oneself, or {@code nobody} for root, because PostgreSQL refuses root. No user is
 * made for it; {@code nobody} exists everywhere.
 */
enum ServerAccount {
    ONESELF,
    NOBODY;

    static ServerAccount current() {
        try {
            return Files.exists(Path.of("/proc/self"))
                            && Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))
                    ? NOBODY
                    : ONESELF;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot tell who runs this process", e);
        }
    }

    /** The command as run by this account. */
    Command command(List<String> words) {
        if (this == ONESELF) {
            return Command.of(words);
        }
        List<String> all =
                new ArrayList<>(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"));
        all.addAll(words);
        return Command.of(all).env("HOME", "/");
    }

    /** Makes a folder that only this account (and root) can enter. */
    Path makePrivate(Path folder) throws IOException {
        Files.createDirectories(folder);
        own(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        return folder;
    }

    void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
        own(file);
    }

    private void own(Path path) throws IOException {
        if (this == NOBODY) {
            Files.setOwner(
                    path, path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        }
    }

    /** Whether this account can reach what is in the folder, as far as the folder and its parents exist. */
    boolean canEnter(Path folder) {
        if (this == ONESELF) {
            return true;
        }
        for (Path path = folder.toAbsolutePath(); path != null; path = path.getParent()) {
            try {
                if (Files.exists(path)
                        && !Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    return false;
                }
            } catch (IOException e) {
                return false;
            }
        }
        return true;
    }
}
