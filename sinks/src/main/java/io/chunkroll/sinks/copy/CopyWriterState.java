package io.chunkroll.sinks.copy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * What an exactly-once writer keeps in a checkpoint.
 *
 * @param prefix the prefix of its transactions, which may be another when the job comes back
 * @param rows rows of all transactions up to this checkpoint, so that the count goes on over restarts
 * @param bytes their encoded bytes
 */
record CopyWriterState(String prefix, long rows, long bytes) {

    /** Fixed by savepoints: a change needs a new version that reads this one too. */
    static final class Serializer implements SimpleVersionedSerializer<CopyWriterState> {
        private static final int VERSION = 1;

        @Override
        public int getVersion() {
            return VERSION;
        }

        @Override
        public byte[] serialize(CopyWriterState state) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeUTF(state.prefix);
            out.writeLong(state.rows);
            out.writeLong(state.bytes);
            return bytes.toByteArray();
        }

        @Override
        public CopyWriterState deserialize(int version, byte[] serialized) throws IOException {
            if (version != VERSION) {
                throw new IOException("A writer's state of version " + version + " was written by a later chunkroll");
            }
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
            return new CopyWriterState(in.readUTF(), in.readLong(), in.readLong());
        }
    }
}
