package io.chunkroll.sinks.reject;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * A load's files of rejects in their folder, on any file system that Flink knows and that can rename. What else is there, other loads'
 * files included, is left alone.
 */
public final class RejectFolder implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final int LISTINGS = 1_000;

    private final RejectOptions options;

    public RejectFolder(RejectOptions options) {
        this.options = options;
    }

    private FileSystem files() throws IOException {
        return new Path(options.folder()).getFileSystem();
    }

    private FileStatus[] list() throws IOException {
        Path folder = new Path(options.folder());
        FileSystem files = files();
        for (int attempt = 1; ; attempt++) {
            try {
                FileStatus[] found = files.exists(folder) ? files.listStatus(folder) : null;
                return found == null ? new FileStatus[0] : found;
            } catch (FileNotFoundException e) {
                // Another writer has just renamed one: Flink reads the names first, and then looks at each file.
                if (attempt == LISTINGS) {
                    throw e;
                }
            }
        }
    }

    Path path(RejectFile file) {
        return new Path(options.folder(), file.hidden());
    }

    FSDataOutputStream create(RejectFile file) throws IOException {
        return files().create(path(file), FileSystem.WriteMode.NO_OVERWRITE);
    }

    /** @throws TooManyRejectsException if more rows are published than the limit allows */
    public void checkLimit(PendingRejects justPublished) throws IOException {
        if (isLimited() && published() > options.most()) {
            throw tooMany(justPublished.last());
        }
    }

    TooManyRejectsException tooMany(String last) {
        return new TooManyRejectsException(options, last);
    }

    boolean isLimited() {
        return options.most() < RejectOptions.NO_LIMIT;
    }

    long most() {
        return options.most();
    }

    /** What a writer's next file is called. */
    RejectFile next(int subtask, long checkpoint) {
        return RejectFile.next(options.load(), subtask, checkpoint);
    }

    private Optional<RejectFile> hidden(FileStatus found) {
        return RejectFile.parse(found.getPath().getName(), options.load());
    }

    /** How many rows the load has published, those of earlier runs included whose files are still there. */
    public long published() throws IOException {
        long rows = 0;
        for (FileStatus file : list()) {
            rows += RejectFile.rowsOf(file.getPath().getName(), options.load());
        }
        return rows;
    }

    /**
     * Deletes a writer's share of the hidden files whose rows come again. The writers divide them by the number of the subtask, so that what
     * a job with more subtasks left goes, too.
     *
     * @param subtask the writer's number
     * @param parallelism the number of writers
     * @param restoredCheckpoint the checkpoint from which the job goes on; empty if all rows since the last one published come again
     */
    public void discardLeftOvers(int subtask, int parallelism, OptionalLong restoredCheckpoint) throws IOException {
        for (FileStatus found : list()) {
            Optional<RejectFile> file = hidden(found);
            if (file.isPresent()
                    && file.get().subtask() % parallelism == subtask
                    && file.get().isAfter(restoredCheckpoint)) {
                files().delete(found.getPath(), false);
            }
        }
    }

    /** Makes all of the load's hidden files visible, after the job is over for good. */
    public void reveal() throws IOException {
        for (FileStatus found : list()) {
            if (hidden(found).isPresent()) {
                long rows = lines(found.getPath());
                if (rows == 0) {
                    files().delete(found.getPath(), false);
                } else {
                    new PendingRejects(found.getPath().toString(), rows, "").publish();
                }
            }
        }
    }

    private long lines(Path file) throws IOException {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(files().open(file), StandardCharsets.UTF_8))) {
            return reader.lines().count();
        }
    }
}
