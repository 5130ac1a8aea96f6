package io.chunkroll.sources.files;

import org.apache.flink.core.fs.Path;

/** What files are called in messages. */
public final class FileNames {
    private FileNames() {}

    /** A local file's path, any other's URI. */
    public static String of(Path file) {
        String scheme = file.toUri().getScheme();
        return scheme == null || scheme.equals("file") ? file.getPath() : file.toString();
    }
}
