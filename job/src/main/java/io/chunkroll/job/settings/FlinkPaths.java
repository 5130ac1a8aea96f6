package io.chunkroll.job.settings;

import org.apache.flink.core.fs.Path;

/** Names of files and folders as Flink reads them: as URIs, but without escapes. */
public final class FlinkPaths {
    private FlinkPaths() {}

    public static String uri(java.nio.file.Path folder) {
        return new Path(folder.toUri()).toString();
    }

    /** Whether the name means the same wherever it is read: an absolute path or a URI. */
    public static boolean isAbsolute(String name) {
        return name.startsWith("/") || new Path(name).toUri().getScheme() != null;
    }
}
