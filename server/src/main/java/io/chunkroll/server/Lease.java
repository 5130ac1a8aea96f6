package io.chunkroll.server;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A file that stays locked as long as its holder lives: how others tell a user of a server from what a killed one left behind. */
final class Lease implements AutoCloseable {
    /** Opening and closing a file that this process has locked would unlock it, so these are never probed. */
    private static final Set<Path> OF_THIS_PROCESS = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;

    private Lease(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    static Lease take(Path file) {
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (channel.tryLock() == null) {
                throw new IOException("another process has it locked");
            }
            OF_THIS_PROCESS.add(file);
            return new Lease(file, channel);
        } catch (IOException e) {
            throw new ServerUnavailableException("cannot lock " + file + ": " + e, e);
        }
    }

    static boolean isHeld(Path file) {
        if (OF_THIS_PROCESS.contains(file)) {
            return true;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(file);
            channel.close();
        } catch (IOException e) {
            throw new ServerUnavailableException("cannot give up " + file + ": " + e, e);
        } finally {
            OF_THIS_PROCESS.remove(file);
        }
    }
}
