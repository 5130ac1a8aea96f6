package io.chunkroll.sources.files;

import java.io.Serializable;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

/**
 * A file to read.
 *
 * @param path with its file system
 * @param size its bytes as stored
 * @param modified its modification time in milliseconds since 1970
 * @param cuttable whether it may be read in pieces
 */
public record InputFile(Path path, long size, long modified, boolean cuttable) implements Serializable {
    static InputFile of(FileStatus status) {
        return new InputFile(status.getPath(), status.getLen(), status.getModificationTime(), false);
    }

    public InputFile asCuttable(boolean value) {
        return new InputFile(path, size, modified, value);
    }
}
