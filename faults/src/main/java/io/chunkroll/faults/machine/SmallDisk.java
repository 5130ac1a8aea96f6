package io.chunkroll.faults.machine;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A disk of some megabytes, made of memory, that can be filled to the last byte. Mounting wants root, and a machine that lets root mount,
 * which containers often do not.
 */
public final class SmallDisk implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SmallDisk.class);
    private static final Set<SmallDisk> MOUNTED = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> MOUNTED.forEach(SmallDisk::close), "chunkroll-unmount"));
    }

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    /** Mounts such a disk on a new folder that everyone may enter; empty where this machine does not allow that. */
    public static Optional<SmallDisk> mount(int megabytes) {
        try {
            Path folder = Files.createTempDirectory("chunkroll-disk-");
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            if (!run(
                    "mount",
                    "-t",
                    "tmpfs",
                    "-o",
                    "mode=0755,size=" + megabytes + "m",
                    "chunkroll",
                    folder.toString())) {
                Files.delete(folder);
                return Optional.empty();
            }
            SmallDisk disk = new SmallDisk(folder);
            MOUNTED.add(disk);
            return Optional.of(disk);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a folder to mount a disk on", e);
        }
    }

    /** Where it is mounted. */
    public Path folder() {
        return folder;
    }

    private Path ballast() {
        return folder.resolve("ballast");
    }

    /** Fills it: nobody can write a new byte until {@link #relieve()}. */
    public void fill() {
        byte[] block = new byte[1 << 12];
        try (OutputStream out = Files.newOutputStream(ballast())) {
            while (true) {
                out.write(block);
            }
        } catch (IOException e) {
            LOG.debug("Full", e);
        }
    }

    /** There is room again. */
    public void relieve() {
        try {
            Files.deleteIfExists(ballast());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make room on " + folder, e);
        }
    }

    /** Unmounts it; what was on it is gone when the last process has closed its files. */
    @Override
    public void close() {
        if (!MOUNTED.remove(this)) {
            return;
        }
        try {
            if (run("umount", "--lazy", folder.toString())) {
                Files.deleteIfExists(folder);
            }
        } catch (IOException e) {
            LOG.warn("{} is left", folder, e);
        }
    }

    private static boolean run(String... words) throws IOException {
        Process process;
        try {
            process = new ProcessBuilder(words).redirectErrorStream(true).start();
        } catch (IOException e) {
            LOG.info("{}: {}", words[0], e.getMessage());
            return false;
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            boolean done = process.waitFor() == 0;
            if (!done) {
                LOG.info("{}", said.strip());
            }
            return done;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
