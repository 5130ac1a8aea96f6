package io.chunkroll.sources.fleet;

import io.chunkroll.rows.Tuple;
import org.apache.flink.api.connector.source.SourceOutput;

/** A split at work: makes its rows, from the place where it was left. */
final class SplitRun {
    private final FleetOptions fleet;
    private final FleetSplit split;
    private final RowGenerator rows;
    private long step;
    private int slot;
    /** How many devices have a row at this step; 0 means that the split is done. */
    private int slots;
    /** The devices before this one have been brought to where the split was left, and this one up to {@link #replayStep}. */
    private int replaySlot;

    private long replayStep;

    SplitRun(FleetOptions fleet, FleetSplit split) {
        this.fleet = fleet;
        this.split = split;
        rows = fleet.dataset().generator(fleet, split.firstDevice(), split.devices());
        step = split.nextStep();
        slot = split.nextSlot();
        slots = slotsAt(step);
        if (slot >= slots) {
            nextStep();
        }
        boolean isNew = split.nextStep() == 0 && split.nextSlot() == 0;
        if (isNew || fleet.dataset().bytesPerDevice() == 0) {
            replaySlot = split.devices();
        }
    }

    /** The step of the next row. */
    long step() {
        return step;
    }

    int devices() {
        return split.devices();
    }

    boolean isDone() {
        return slots == 0;
    }

    /** How many rows there are up to the end of the step. */
    int rowsLeftInStep() {
        return slots - slot;
    }

    /** Whether every device has been brought to where the split was left. */
    boolean isReplayed() {
        return replaySlot == split.devices();
    }

    /** Does a piece of the way back to where the split was left, a number of rows at most. */
    void replay(int maxRows) {
        for (long left = maxRows; left > 0 && !isReplayed(); ) {
            long end = split.nextStep() + (replaySlot < split.nextSlot() ? 1 : 0);
            long to = Math.min(end, replayStep + left);
            rows.skip(replaySlot, replayStep, to);
            left -= Math.max(1, to - replayStep);
            replayStep = to;
            if (to == end) {
                replaySlot++;
                replayStep = 0;
            }
        }
    }

    /** Emits the next rows, of one step: at most {@link #rowsLeftInStep()}. */
    void emit(int count, TupleFields fields, SourceOutput<Tuple> output) {
        for (int end = slot + count; slot < end; slot++) {
            rows.write(slot, step, fields);
            output.collect(fields.tuple());
        }
        if (slot == slots) {
            nextStep();
        }
    }

    /** The split as it is now, for a checkpoint. */
    FleetSplit toSplit() {
        return new FleetSplit(split.fleet(), split.index(), split.firstDevice(), split.devices(), step, slot);
    }

    private void nextStep() {
        step++;
        slot = 0;
        slots = slotsAt(step);
    }

    private int slotsAt(long anyStep) {
        return Math.max(0, Math.min(split.devices(), fleet.devicesAt(anyStep) - split.firstDevice()));
    }
}
