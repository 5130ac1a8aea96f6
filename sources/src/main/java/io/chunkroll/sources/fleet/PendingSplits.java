package io.chunkroll.sources.fleet;

import java.util.List;

/**
 * What the enumerator keeps in a checkpoint: the splits that no reader has yet. Readers keep theirs themselves.
 *
 * @param splits usually none
 */
public record PendingSplits(List<FleetSplit> splits) {
    public PendingSplits {
        splits = List.copyOf(splits);
    }
}
