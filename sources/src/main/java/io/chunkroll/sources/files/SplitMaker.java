package io.chunkroll.sources.files;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.enumerate.FileEnumerator;
import org.apache.flink.core.fs.Path;

/** Cuts the files into splits, numbered in file order: a split's identifier is its place in the whole. */
public final class SplitMaker implements FileEnumerator, Serializable {
    private static final long serialVersionUID = 1L;

    static final long SMALLEST_SPLIT_BYTES = 8L << 20;
    private static final long MOST_SPLITS = 10_000;

    private final List<InputFile> files;
    private final long splitBytes;

    public SplitMaker(List<InputFile> files, long splitBytes) {
        this.files = files;
        this.splitBytes = splitBytes;
    }

    /** Small splits keep readers close together; their number is bounded, for a checkpoint holds those that are left. */
    public static long splitBytes(long totalBytes) {
        return Math.max(SMALLEST_SPLIT_BYTES, totalBytes / MOST_SPLITS);
    }

    @Override
    public Collection<FileSourceSplit> enumerateSplits(Path[] paths, int minDesiredSplits) {
        List<FileSourceSplit> splits = new ArrayList<>();
        for (InputFile file : files) {
            long step = file.cuttable() ? splitBytes : file.size();
            for (long offset = 0; offset < file.size(); offset += step) {
                splits.add(split(splits.size(), file, offset, Math.min(step, file.size() - offset)));
            }
        }
        return splits;
    }

    private static FileSourceSplit split(int number, InputFile file, long offset, long length) {
        return new FileSourceSplit(
                String.format("%010d", number), file.path(), offset, length, file.modified(), file.size());
    }
}
