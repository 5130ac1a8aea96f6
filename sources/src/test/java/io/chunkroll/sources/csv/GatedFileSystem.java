package io.chunkroll.sources.csv;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

/** Local files whose readers wait at one offset until the gate is opened: a test can have a checkpoint in mid-file. */
public final class GatedFileSystem extends LocalFileSystem {
    static final String SCHEME = "gated";

    private static volatile Gate gate = new Gate(Long.MAX_VALUE);

    /** Where to wait, and what for. */
    private record Gate(long offset, CountDownLatch moved) {
        Gate(long offset) {
            this(offset, new CountDownLatch(1));
        }
    }

    /** Who waited at another offset goes on to this one. */
    static void closeGateAt(long offset) {
        Gate before = gate;
        gate = new Gate(offset);
        before.moved().countDown();
    }

    static void openGate() {
        closeGateAt(Long.MAX_VALUE);
    }

    static boolean isGateOpen() {
        return gate.offset() == Long.MAX_VALUE;
    }

    @Override
    public URI getUri() {
        return URI.create(SCHEME + ":///");
    }

    @Override
    public FSDataInputStream open(Path path) throws IOException {
        return new GatedStream(super.open(path));
    }

    /** Found by Flink through the service loader. */
    public static final class Factory implements FileSystemFactory {
        @Override
        public String getScheme() {
            return SCHEME;
        }

        @Override
        public FileSystem create(URI uri) {
            return new GatedFileSystem();
        }
    }

    private static final class GatedStream extends FSDataInputStream {
        private final FSDataInputStream in;

        GatedStream(FSDataInputStream in) {
            this.in = in;
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            return in.read(target, from, (int) Math.min(length, awaitReadable()));
        }

        /** How many bytes there are before the gate. */
        private long awaitReadable() throws IOException {
            while (true) {
                Gate now = gate;
                long readable = now.offset() - in.getPos();
                if (readable > 0) {
                    return readable;
                }
                try {
                    now.moved().await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("Interrupted at the gate", e);
                }
            }
        }

        @Override
        public int read() throws IOException {
            return in.read();
        }

        @Override
        public void seek(long position) throws IOException {
            in.seek(position);
        }

        @Override
        public long getPos() throws IOException {
            return in.getPos();
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
