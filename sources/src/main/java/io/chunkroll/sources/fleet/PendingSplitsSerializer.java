package io.chunkroll.sources.fleet;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Writes the number of splits, then each as {@link FleetSplitSerializer} does. */
final class PendingSplitsSerializer implements SimpleVersionedSerializer<PendingSplits> {

    @Override
    public int getVersion() {
        return FleetSplitSerializer.VERSION;
    }

    @Override
    public byte[] serialize(PendingSplits pending) {
        List<FleetSplit> splits = pending.splits();
        ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES + splits.size() * FleetSplitSerializer.BYTES);
        buffer.putInt(splits.size());
        splits.forEach(split -> FleetSplitSerializer.put(buffer, split));
        return buffer.array();
    }

    @Override
    public PendingSplits deserialize(int version, byte[] serialized) throws IOException {
        FleetSplitSerializer.checkVersion(version);
        try {
            ByteBuffer buffer = ByteBuffer.wrap(serialized);
            List<FleetSplit> splits = new ArrayList<>();
            for (int left = buffer.getInt(); left > 0; left--) {
                splits.add(FleetSplitSerializer.get(buffer));
            }
            return new PendingSplits(splits);
        } catch (BufferUnderflowException e) {
            throw new IOException("The list of a fleet's splits is cut off at " + serialized.length + " bytes", e);
        }
    }
}
