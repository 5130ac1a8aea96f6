package io.chunkroll.job.run;

import org.apache.flink.core.fs.Path;

/** Names of folders as Flink reads them: as URIs, but without escapes. */
final class FlinkPaths {
    private FlinkPaths() {}

    static String uri(java.nio.file.Path folder) {
        return new Path(folder.toUri()).toString();
    }

    static boolean hasScheme(String folder) {
        return new Path(folder).toUri().getScheme() != null;
    }
}
