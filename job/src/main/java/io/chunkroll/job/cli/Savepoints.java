package io.chunkroll.job.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Savepoints in folders. */
final class Savepoints {
    private static final String METADATA = "_metadata";

    private Savepoints() {}

    /**
     * The newest savepoint in the folder; the folder itself, if it is one or cannot be looked into from here.
     *
     * @param folder a path, or a URI of any file system that the cluster knows
     */
    static String newest(String folder) {
        try {
            Path path = folder.startsWith("file:") ? Path.of(URI.create(folder).getPath()) : Path.of(folder);
            if (!Files.isDirectory(path) || Files.exists(path.resolve(METADATA))) {
                return folder;
            }
            try (Stream<Path> inside = Files.list(path)) {
                return inside.filter(part -> Files.exists(part.resolve(METADATA)))
                        .max(Comparator.comparing(
                                part -> part.resolve(METADATA).toFile().lastModified()))
                        .map(Path::toString)
                        .orElse(folder);
            }
        } catch (IOException | IllegalArgumentException e) {
            return folder;
        }
    }
}
