package io.chunkroll.sources.fleet;

import io.chunkroll.sources.fleet.BlockMaker.Block;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Writes a fleet's rows to a file as text: the same rows, with the same values, that {@link FleetSource} makes of the same settings. The
 * rows stand in the order of time, and within a step in the order of devices.
 *
 * <pre>
 *  BlockMaker 0: blocks 0, 2, 4, …  ──▶ ┐
 *                                       ├─▶ in turn ──▶ {@link OutputFile}
 *  BlockMaker 1: blocks 1, 3, 5, …  ──▶ ┘
 * </pre>
 *
 * A file's bytes follow from the settings, its suffix, format and header alone, not from the number of threads.
 */
public final class FleetFileWriter {
    private static final int BLOCKS_AHEAD = 2;
    /** The threads' memory together takes no more than this part of the heap. */
    private static final int HEAP_SHARE = 4;

    /** Hears how far the file is. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Called on the writing thread after each block, some thousand rows.
         *
         * @param rows rows written so far
         * @param bytes bytes written so far, compressed where the file is
         */
        void written(long rows, long bytes);
    }

    private final FleetOptions fleet;
    private final OutputFile file;
    private final FleetFileFormat format;
    private final boolean header;
    private final int threads;

    /** As {@link #FleetFileWriter(FleetOptions, Path, FleetFileFormat, boolean)}, as CSV. */
    public FleetFileWriter(FleetOptions fleet, Path file, boolean header) {
        this(fleet, file, FleetFileFormat.CSV, header);
    }

    /**
     * Prepares to write; touches nothing yet. The rate of the settings plays no part.
     *
     * @param fleet what to write; its rows must come to an end
     * @param file where to; a name that ends in {@code .gz} or {@code .zst} is compressed
     * @param format one of those of the data set
     * @param header whether the first line names the columns; TSBS's format always has a header
     * @throws IllegalArgumentException that names all faults at once: if the rows have no end, the heap cannot hold what the data set keeps
     *     of its devices, or the format is none of the data set's or cannot tell its times
     */
    public FleetFileWriter(FleetOptions fleet, Path file, FleetFileFormat format, boolean header) {
        this(fleet, new OutputFile(file), format, header, threads(fleet));
    }

    FleetFileWriter(FleetOptions fleet, OutputFile file, FleetFileFormat format, boolean header, int threads) {
        List<String> faults = faults(fleet, format);
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", faults));
        }
        // A TSBS file tells of the tags in each row, wherever they would stand in a table.
        this.fleet = format == FleetFileFormat.TSBS ? fleet.of(DataSets.tsbsCpu(TagPlace.TABLE)) : fleet;
        this.file = file;
        this.format = format;
        this.header = header || format == FleetFileFormat.TSBS;
        this.threads = threads;
    }

    private static List<String> faults(FleetOptions fleet, FleetFileFormat format) {
        List<String> faults = new ArrayList<>();
        if (!fleet.isBounded()) {
            faults.add("source.rows is 0 (without end), but a file needs a number of rows");
        }
        HeapShare.fault(fleet.devices(), fleet).ifPresent(faults::add);
        if (!fleet.dataset().fileFormats().contains(format)) {
            faults.add("source.dataset is " + fleet.dataset().name()
                    + ", but a file of TSBS's format holds hosts with their tags, which only tsbs-cpu has");
        } else if (format == FleetFileFormat.TSBS && fleet.isBounded() && !fleet.fitsNanoseconds()) {
            faults.add("source.start is " + fleet.start()
                    + ", so that times go beyond the years 1678 to 2261, in which a file of"
                    + " TSBS's format can count nanoseconds");
        }
        return faults;
    }

    private static int threads(FleetOptions fleet) {
        long bytesPerThread = fleet.stateBytes();
        long affordable = Runtime.getRuntime().maxMemory() / HEAP_SHARE / Math.max(1, bytesPerThread);
        return (int) Math.max(1, Math.min(Runtime.getRuntime().availableProcessors(), affordable));
    }

    /**
     * Writes the file, under another name in the same folder until it is whole. A file of that name is replaced.
     *
     * @throws IOException if the file cannot be written; then nothing is left of it. Also if the thread is interrupted
     */
    public void write(Progress progress) throws IOException {
        Compression compression = Compression.of(file.name());
        List<ExecutorService> executors = new ArrayList<>();
        try {
            file.write(out -> {
                if (header) {
                    out.write(header(compression));
                }
                copyBlocks(makers(compression), executors, out, progress);
            });
        } finally {
            executors.forEach(ExecutorService::shutdownNow);
        }
    }

    private byte[] header(Compression compression) throws IOException {
        TextFields fields = BlockMaker.fields(fleet, format, 0);
        fields.header(fleet.dataset());
        return compression.pack(fields.bytes(), fields.length());
    }

    private List<BlockMaker> makers(Compression compression) {
        List<BlockMaker> makers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            makers.add(new BlockMaker(fleet, format, compression, i, threads));
        }
        return makers;
    }

    /** Each maker has a thread of its own, for a maker is to be used by one thread at a time. */
    private void copyBlocks(
            List<BlockMaker> makers, List<ExecutorService> executors, OutputFile.Sink out, Progress progress)
            throws IOException {
        makers.forEach(maker -> executors.add(Executors.newSingleThreadExecutor(FleetFileWriter::daemon)));
        long blocks = BlockMaker.blocks(fleet);
        Queue<Future<Block>> underway = new ArrayDeque<>();
        long asked = 0;
        long rows = 0;
        for (long block = 0; block < blocks; block++) {
            for (; asked < Math.min(blocks, block + (long) threads * BLOCKS_AHEAD); asked++) {
                int turn = (int) (asked % threads);
                underway.add(executors.get(turn).submit(makers.get(turn)::next));
            }
            Block made = await(underway.remove());
            out.write(made.bytes());
            rows += made.rows();
            progress.written(rows, out.bytes());
        }
    }

    /** Asks for the interrupt itself, for {@link Future#get} does so only where it has to wait. */
    private static Block await(Future<Block> block) throws IOException {
        try {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return block.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted");
            interrupted.initCause(e);
            throw interrupted;
        } catch (ExecutionException e) {
            throw new IOException("making a block of rows failed: " + e.getCause(), e.getCause());
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "chunkroll-generate");
        thread.setDaemon(true);
        return thread;
    }
}
