package io.chunkroll.sinks.copy;

import io.chunkroll.sinks.reject.PendingRejects;
import io.chunkroll.sinks.transaction.TransactionId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** What becomes final once its checkpoint is complete. */
sealed interface CopyCommittable {

    /**
     * A transaction that is prepared, and to be committed.
     *
     * @param transaction its name
     * @param xid the server's own number of it ({@code pg_current_xact_id}), by which its fate can be asked for after its name is gone
     * @param rows rows that it holds
     * @param bytes their encoded bytes
     */
    record Prepared(TransactionId transaction, String xid, long rows, long bytes) implements CopyCommittable {}

    /** Rows that were left out, and are to be told of. */
    record Rejects(PendingRejects file) implements CopyCommittable {}

    /** Fixed by savepoints: a change needs a new version that reads this one too. */
    final class Serializer implements SimpleVersionedSerializer<CopyCommittable> {
        private static final int VERSION = 1;

        @Override
        public int getVersion() {
            return VERSION;
        }

        @Override
        public byte[] serialize(CopyCommittable committable) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeBoolean(committable instanceof Prepared);
            if (committable instanceof Prepared prepared) {
                out.writeUTF(prepared.transaction.gid());
                out.writeUTF(prepared.xid);
                out.writeLong(prepared.rows);
                out.writeLong(prepared.bytes);
            } else if (committable instanceof Rejects rejects) {
                rejects.file.write(out);
            }
            return bytes.toByteArray();
        }

        @Override
        public CopyCommittable deserialize(int version, byte[] serialized) throws IOException {
            if (version != VERSION) {
                throw new IOException("A committable of version " + version + " was written by a later chunkroll");
            }
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized));
            boolean isPrepared = in.readBoolean();
            return isPrepared
                    ? new Prepared(
                            TransactionId.parse(in.readUTF()).orElseThrow(), in.readUTF(), in.readLong(), in.readLong())
                    : new Rejects(PendingRejects.read(in));
        }
    }
}
