package io.chunkroll.sinks.reject;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of rejects that is written and not published yet.
 *
 * @param file the hidden file, as a URI
 * @param rows rows in it, at least one
 * @param last where the last of them stands and why it was refused, in words
 */
public record PendingRejects(String file, long rows, String last) {
    private static final Logger LOG = LoggerFactory.getLogger(PendingRejects.class);

    /** Makes the file visible. Does nothing if it is already. */
    public void publish() throws IOException {
        Path hidden = new Path(file);
        RejectFile name = RejectFile.parse(hidden.getName()).orElseThrow();
        Path published = new Path(hidden.getParent(), name.published(rows));
        FileSystem files = hidden.getFileSystem();
        if (files.exists(hidden)) {
            if (!files.rename(hidden, published)) {
                throw new IOException("The rejects in " + hidden + " could not be renamed to " + published.getName());
            }
        } else if (!files.exists(published)) {
            // A savepoint may be restored long after somebody has put its files elsewhere.
            LOG.warn("{} with {} rejects is not there; it is taken for published and moved away", hidden, rows);
        }
    }

    public void write(DataOutput out) throws IOException {
        out.writeUTF(file);
        out.writeLong(rows);
        out.writeUTF(last);
    }

    /** Reads what {@link #write} wrote. */
    public static PendingRejects read(DataInput in) throws IOException {
        return new PendingRejects(in.readUTF(), in.readLong(), in.readUTF());
    }
}
