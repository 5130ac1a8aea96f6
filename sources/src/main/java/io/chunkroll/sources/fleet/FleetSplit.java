package io.chunkroll.sources.fleet;

import org.apache.flink.api.connector.source.SourceSplit;

/**
 * A part of a fleet and how far its rows have been made. The values themselves are no part of it: they follow from the seed.
 *
 * @param fleet the {@link FleetOptions#fingerprint()} of the fleet it is a part of
 * @param index its place among the fleet's splits
 * @param firstDevice the first of its devices
 * @param devices how many devices it has, at least 1
 * @param nextStep the step of the next row
 * @param nextSlot the device of the next row, counted within the split; below {@code devices}
 */
public record FleetSplit(long fleet, int index, int firstDevice, int devices, long nextStep, int nextSlot)
        implements SourceSplit {

    @Override
    public String splitId() {
        return "devices-" + firstDevice + "-to-" + (firstDevice + devices - 1);
    }
}
