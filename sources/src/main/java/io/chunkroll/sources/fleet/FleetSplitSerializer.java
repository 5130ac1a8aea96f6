package io.chunkroll.sources.fleet;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Writes a split as 32 bytes: its fields in order. */
final class FleetSplitSerializer implements SimpleVersionedSerializer<FleetSplit> {
    static final int VERSION = 1;
    static final int BYTES = 2 * Long.BYTES + 4 * Integer.BYTES;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(FleetSplit split) {
        ByteBuffer buffer = ByteBuffer.allocate(BYTES);
        put(buffer, split);
        return buffer.array();
    }

    @Override
    public FleetSplit deserialize(int version, byte[] serialized) throws IOException {
        checkVersion(version);
        try {
            return get(ByteBuffer.wrap(serialized));
        } catch (BufferUnderflowException e) {
            throw new IOException("A split of a fleet has " + serialized.length + " bytes instead of " + BYTES, e);
        }
    }

    static void put(ByteBuffer buffer, FleetSplit split) {
        buffer.putLong(split.fleet())
                .putInt(split.index())
                .putInt(split.firstDevice())
                .putInt(split.devices())
                .putLong(split.nextStep())
                .putInt(split.nextSlot());
    }

    static FleetSplit get(ByteBuffer buffer) {
        return new FleetSplit(
                buffer.getLong(), buffer.getInt(), buffer.getInt(), buffer.getInt(), buffer.getLong(), buffer.getInt());
    }

    static void checkVersion(int version) throws IOException {
        if (version != VERSION) {
            throw new IOException("The checkpoint holds splits of a fleet in format " + version
                    + ", this version of chunkroll reads format " + VERSION);
        }
    }
}
