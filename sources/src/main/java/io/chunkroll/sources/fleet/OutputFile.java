package io.chunkroll.sources.fleet;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file that is there whole or not at all: it is written as a sibling, {@code NAME.part}, and renamed at the end. What is no regular
 * file, a pipe or a device, is written as it is.
 */
final class OutputFile {

    /** Writes the file's contents. */
    @FunctionalInterface
    interface Content {
        void writeTo(Sink sink) throws IOException;
    }

    /** Counts what is written. */
    static final class Sink {
        private final OutputStream out;
        private long bytes;

        private Sink(OutputStream out) {
            this.out = out;
        }

        void write(byte[] more) throws IOException {
            out.write(more);
            bytes += more.length;
        }

        long bytes() {
            return bytes;
        }
    }

    private final Path path;

    OutputFile(Path path) {
        this.path = path;
    }

    String name() {
        return path.toString();
    }

    /** Writes the whole file; after a failure the old file, if there was one, is still there, and nothing of the new one. */
    void write(Content content) throws IOException {
        if (Files.isDirectory(path)) {
            throw new IOException("Cannot write " + path + ": it is a folder; give the name of a file");
        }
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            fill(path, content);
            return;
        }
        Path target = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
        Path part = target.resolveSibling(target.getFileName() + ".part");
        part.toFile().deleteOnExit();
        try {
            fill(part, content);
            Files.move(part, target, ATOMIC_MOVE, REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private void fill(Path place, Content content) throws IOException {
        Sink sink = null;
        try (OutputStream out = Files.newOutputStream(place)) {
            sink = new Sink(out);
            content.writeTo(sink);
        } catch (IOException e) {
            long bytes = sink == null ? 0 : sink.bytes();
            throw new IOException(
                    "Cannot write " + path + " (" + bytes + " bytes were written): " + reason(e)
                            + ". Nothing of it is kept; choose another place or make room, and try again",
                    e);
        }
    }

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "its folder does not exist";
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        return e.getMessage();
    }
}
