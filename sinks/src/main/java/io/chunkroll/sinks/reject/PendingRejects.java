package io.chunkroll.sinks.reject;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

/**
 * A file of rejects that is written and not published yet.
 *
 * @param file the hidden file, as a URI
 * @param rows rows in it, at least one
 * @param last where the last of them stands and why it was refused, in words
 */
public record PendingRejects(String file, long rows, String last) {
    /**
     * Makes the file visible. Does nothing if it is already, as when a checkpoint is restored whose files were published before.
     *
     * @throws IOException also if the file is under neither name: its rows would be told of nowhere
     */
    public void publish() throws IOException {
        Path hidden = new Path(file);
        Path published = new Path(hidden.getParent(), RejectFile.published(hidden.getName(), rows));
        FileSystem files = hidden.getFileSystem();
        // In this order: somebody else who renames it in between has then published it.
        boolean isHidden = files.exists(hidden);
        if (files.exists(published)) {
            if (isHidden) {
                // Where renaming is to copy and to delete, it can end between the two.
                files.delete(hidden, false);
            }
        } else if (!isHidden) {
            throw new FileNotFoundException(hidden + " with " + rows + " rejected rows is not there, nor is "
                    + published.getName()
                    + ", which it was to become: nobody would be told of these rows, the last of which "
                    + last
                    + ". The folder (run.rejects-dir) must be one that all machines of the job share. If the file was"
                    + " published and moved away, or is lost, put it back, or make an empty file of that name to go on"
                    + " without it");
        } else if (!files.rename(hidden, published)) {
            throw new IOException("The rejects in " + hidden + " could not be renamed to " + published.getName());
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
