package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.transaction.TransactionId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A transaction that is prepared, and to be committed once its checkpoint is complete.
 *
 * @param transaction its name
 * @param xid the server's own number of it ({@code pg_current_xact_id}), by which its fate can be asked for after its name is gone
 * @param rows rows that it holds
 * @param bytes their encoded bytes
 */
record CopyCommittable(TransactionId transaction, String xid, long rows, long bytes) {

    /** Fixed by savepoints: a change needs a new version that reads this one too. */
    static final class Serializer implements SimpleVersionedSerializer<CopyCommittable> {
        private static final int VERSION = 1;

        @Override
        public int getVersion() {
            return VERSION;
        }

        @Override
        public byte[] serialize(CopyCommittable committable) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeUTF(committable.transaction.gid());
            out.writeUTF(committable.xid);
            out.writeLong(committable.rows);
            out.writeLong(committable.bytes);
            return bytes.toByteArray();
        }

        @Override
        public CopyCommittable deserialize(int version, byte[] serialized) throws IOException {
            if (version != VERSION) {
                throw new IOException("A committable of version " + version + " was written by a later chunkroll");
            }
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
            TransactionId transaction = TransactionId.parse(in.readUTF()).orElseThrow();
            return new CopyCommittable(transaction, in.readUTF(), in.readLong(), in.readLong());
        }
    }
}
