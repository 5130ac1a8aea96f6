package io.chunkroll.server;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One holder at a time, among all threads of all processes that name the same file. The kernel lets go of it when the holder's process
 * ends, however it ends. Not to be taken twice by one thread.
 */
final class FileMutex implements AutoCloseable {
    /** File locks belong to a process; its threads are kept apart here. */
    private static final Map<Path, ReentrantLock> OF_THIS_PROCESS = new ConcurrentHashMap<>();

    private final ReentrantLock threads;
    private final FileChannel channel;

    private FileMutex(ReentrantLock threads, FileChannel channel) {
        this.threads = threads;
        this.channel = channel;
    }

    /** Waits until it is free; {@code onWait} is called once if another process has it. */
    static FileMutex acquire(Path file, Runnable onWait) {
        ReentrantLock threads = OF_THIS_PROCESS.computeIfAbsent(file, path -> new ReentrantLock());
        threads.lock();
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                onWait.run();
                lock = channel.lock();
            }
            return new FileMutex(threads, channel);
        } catch (IOException e) {
            threads.unlock();
            throw new ServerUnavailableException("cannot lock " + file + ": " + e, e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new ServerUnavailableException("cannot unlock: " + e, e);
        } finally {
            threads.unlock();
        }
    }
}
