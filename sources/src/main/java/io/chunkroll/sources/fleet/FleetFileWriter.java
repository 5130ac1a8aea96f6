package io.chunkroll.sources.fleet;

import io.chunkroll.rows.Column;
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
 * Writes a fleet's rows to a file as CSV: the same rows, with the same values, that {@link FleetSource} makes of the same settings. The
 * rows stand in the order of time, and within a step in the order of devices.
 *
 * <pre>
 *  BlockMaker 0: blocks 0, 2, 4, …  ──▶ ┐
 *                                       ├─▶ in turn ──▶ {@link OutputFile}
 *  BlockMaker 1: blocks 1, 3, 5, …  ──▶ ┘
 * </pre>
 *
 * A file's bytes follow from the settings, its suffix and the header alone, not from the number of threads.
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
    private final boolean header;
    private final int threads;

    /**
     * Prepares to write; touches nothing yet. The rate of the settings plays no part.
     *
     * @param fleet what to write; its rows must come to an end
     * @param file where to; a name that ends in {@code .gz} or {@code .zst} is compressed
     * @param header whether the first line names the columns
     * @throws IllegalArgumentException if the rows have no end
     */
    public FleetFileWriter(FleetOptions fleet, Path file, boolean header) {
        this(fleet, new OutputFile(file), header, threads(fleet));
    }

    FleetFileWriter(FleetOptions fleet, OutputFile file, boolean header, int threads) {
        if (!fleet.isBounded()) {
            throw new IllegalArgumentException("source.rows is 0 (without end), but a file needs a number of rows");
        }
        this.fleet = fleet;
        this.file = file;
        this.header = header;
        this.threads = threads;
    }

    private static int threads(FleetOptions fleet) {
        long bytesPerThread = (long) fleet.devices() * fleet.dataset().bytesPerDevice();
        long affordable = Runtime.getRuntime().maxMemory() / HEAP_SHARE / bytesPerThread;
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
        CsvFields fields = new CsvFields(0);
        fields.header(
                fleet.dataset().table().columns().stream().map(Column::name).toList());
        return compression.pack(fields.bytes(), fields.length());
    }

    private List<BlockMaker> makers(Compression compression) {
        List<BlockMaker> makers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            makers.add(new BlockMaker(fleet, compression, i, threads));
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
