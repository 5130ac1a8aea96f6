package io.chunkroll.sources.fleet;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * How fast cpu rows are made, on this machine: run its {@code main}. Every run is printed, and the first of each kind is a warm-up.
 */
public final class FleetBenchmark {
    private static final int RUNS = 3;
    private static final int DEVICES = 4_000;
    private static final long ROWS = 8_000_000;
    /** More of them, so that starting and ending a cluster, some seconds, does not count for much. */
    private static final long FLINK_ROWS = 5 * ROWS;

    /** CPU time of all threads, the compiler's too: on a busy machine the wall clock tells little. */
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private FleetBenchmark() {}

    /** One run; tells how many bytes it has made, or 0. */
    @FunctionalInterface
    private interface Run {
        long run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        System.out.printf(
                "%d rows of %d hosts, %d cores%n",
                ROWS, DEVICES, Runtime.getRuntime().availableProcessors());
        measure("replay, one thread", ROWS, FleetBenchmark::replay);
        measure("tuples, one thread", ROWS, FleetBenchmark::tuples);
        measure("CSV in memory, one thread", ROWS, FleetBenchmark::csv);
        measure("CSV to /dev/null, one thread", ROWS, () -> file("/dev/null", 1));
        measure("CSV to /dev/null, two threads", ROWS, () -> file("/dev/null", 2));
        if (args.length > 0) {
            for (String suffix : new String[] {".csv", ".csv.gz", ".csv.zst"}) {
                measure("file " + suffix + ", two threads", ROWS, () -> file(args[0] + suffix, 2));
            }
        }
        measure("Flink, discarded, parallelism 1", FLINK_ROWS, () -> flink(1));
        measure("Flink, discarded, parallelism 2", FLINK_ROWS, () -> flink(2));
    }

    private static void measure(String what, long rows, Run run) throws Exception {
        for (int i = 0; i < RUNS; i++) {
            long begin = System.nanoTime();
            long cpuBegin = PROCESS.getProcessCpuTime();
            long bytes = run.run();
            double seconds = (System.nanoTime() - begin) / 1e9;
            double cpuSeconds = (PROCESS.getProcessCpuTime() - cpuBegin) / 1e9;
            System.out.printf(
                    Locale.ROOT,
                    "%-32s %6.2f s wall, %6.2f s CPU; %,11.0f rows and %4.0f MB a CPU second%s%n",
                    what,
                    seconds,
                    cpuSeconds,
                    rows / cpuSeconds,
                    bytes / cpuSeconds / 1e6,
                    i == 0 ? " (warm-up)" : "");
        }
    }

    private static long replay() {
        FleetSplit split = new FleetSplit(0, 0, 0, DEVICES, ROWS / DEVICES, 0);
        SplitRun run = new SplitRun(Fleets.cpu(2 * ROWS, DEVICES), split);
        while (!run.isReplayed()) {
            run.replay(FleetReader.REPLAY_BATCH);
        }
        return 0;
    }

    private static long tuples() {
        FleetOptions fleet = Fleets.cpu(ROWS, DEVICES);
        TupleFields fields = TupleFields.of(fleet.dataset().table());
        RowGenerator rows = fleet.dataset().generator(fleet, 0, DEVICES);
        long bytes = 0;
        for (long step = 0; step < ROWS / DEVICES; step++) {
            for (int slot = 0; slot < DEVICES; slot++) {
                rows.write(slot, step, fields);
                bytes += fields.tuple().length();
            }
        }
        return bytes;
    }

    private static long csv() throws Exception {
        FleetOptions fleet = Fleets.cpu(ROWS, DEVICES);
        BlockMaker maker = new BlockMaker(fleet, FleetFileFormat.CSV, Compression.NONE, 0, 1);
        long bytes = 0;
        for (long block = BlockMaker.blocks(fleet); block > 0; block--) {
            bytes += maker.next().bytes().length;
        }
        return bytes;
    }

    private static long file(String path, int threads) throws Exception {
        long[] written = new long[1];
        new FleetFileWriter(
                        Fleets.cpu(ROWS, DEVICES), new OutputFile(Path.of(path)), FleetFileFormat.CSV, false, threads)
                .write((rows, bytes) -> written[0] = bytes);
        return written[0];
    }

    private static long flink(int parallelism) throws Exception {
        Configuration configuration = new Configuration().set(PipelineOptions.OBJECT_REUSE, true);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(parallelism, configuration);
        environment
                .fromSource(new FleetSource(Fleets.cpu(FLINK_ROWS, DEVICES)), WatermarkStrategy.noWatermarks(), "fleet")
                .sinkTo(new DiscardingSink<>());
        environment.execute();
        return 0;
    }
}
