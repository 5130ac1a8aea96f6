package io.chunkroll.rows;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Copies a tuple's bytes: length (negative for a rejected row), length of the origin, time, key hash, key offset, then the bytes
 * themselves.
 *
 * <p>Fixed by savepoints: a change of this format needs a new class and a snapshot that migrates.
 */
public final class TupleSerializer extends TypeSerializerSingleton<Tuple> {
    public static final TupleSerializer INSTANCE = new TupleSerializer();
    private static final long serialVersionUID = 1L;
    /** Time, key hash and key offset. */
    private static final int MARKS = Long.BYTES + Integer.BYTES + Integer.BYTES;

    @Override
    public void serialize(Tuple tuple, DataOutputView target) throws IOException {
        target.writeInt(tuple.rejected ? ~tuple.length : tuple.length);
        target.writeInt(tuple.originLength);
        target.writeLong(tuple.time);
        target.writeInt(tuple.keyHash);
        target.writeInt(tuple.keyOffset);
        target.write(tuple.bytes, 0, tuple.length + tuple.originLength);
    }

    @Override
    public Tuple deserialize(DataInputView source) throws IOException {
        return deserialize(new Tuple(), source);
    }

    @Override
    public Tuple deserialize(Tuple reuse, DataInputView source) throws IOException {
        int length = source.readInt();
        reuse.rejected = length < 0;
        reuse.length = length < 0 ? ~length : length;
        reuse.originLength = source.readInt();
        reuse.time = source.readLong();
        reuse.keyHash = source.readInt();
        reuse.keyOffset = source.readInt();
        int all = reuse.length + reuse.originLength;
        if (reuse.bytes.length < all) {
            reuse.bytes = new byte[all];
        }
        source.readFully(reuse.bytes, 0, all);
        return reuse;
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        int length = source.readInt();
        int originLength = source.readInt();
        target.writeInt(length);
        target.writeInt(originLength);
        target.write(source, MARKS + (length < 0 ? ~length : length) + originLength);
    }

    @Override
    public Tuple createInstance() {
        return new Tuple();
    }

    @Override
    public Tuple copy(Tuple from) {
        return from.copy();
    }

    @Override
    public Tuple copy(Tuple from, Tuple reuse) {
        reuse.copyFrom(from);
        return reuse;
    }

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public TypeSerializerSnapshot<Tuple> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Written into checkpoints so that a later version can tell what it reads. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<Tuple> {
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }

    @SuppressWarnings("unused")
    private Object readResolve() {
        return INSTANCE;
    }
}
