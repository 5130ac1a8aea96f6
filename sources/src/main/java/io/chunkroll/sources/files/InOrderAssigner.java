package io.chunkroll.sources.files;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.assigners.FileSplitAssigner;

/**
 * Hands splits out in the order of their identifiers, to whoever asks: readers move through the data together, and a table's
 * chunks fill one after the other. A split that comes back after a failure precedes all that were not handed out yet.
 */
public final class InOrderAssigner implements FileSplitAssigner {
    private static final Comparator<FileSourceSplit> IN_ORDER = Comparator.comparing(FileSourceSplit::splitId);

    private final PriorityQueue<FileSourceSplit> waiting = new PriorityQueue<>(IN_ORDER);

    public InOrderAssigner(Collection<FileSourceSplit> splits) {
        waiting.addAll(splits);
    }

    @Override
    public Optional<FileSourceSplit> getNext(String hostname) {
        return Optional.ofNullable(waiting.poll());
    }

    @Override
    public void addSplits(Collection<FileSourceSplit> splits) {
        waiting.addAll(splits);
    }

    @Override
    public Collection<FileSourceSplit> remainingSplits() {
        return List.copyOf(waiting);
    }
}
