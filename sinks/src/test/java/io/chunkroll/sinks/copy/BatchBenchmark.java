package io.chunkroll.sinks.copy;

import io.chunkroll.rows.Tuple;
import io.chunkroll.rows.TupleWriter;
import io.chunkroll.sinks.Fleet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Nanoseconds a row of filling a batch and of putting it in order, for rows of a fleet as they come: all devices, then all again.
 *
 * <p>{@code mvn test -pl sinks -am -Dtest=BatchBenchmark -Dsurefire.failIfNoSpecifiedTests=false}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {"-XX:+UseParallelGC", "-Xmx1g"})
public class BatchBenchmark {
    private static final int ROWS = 100_000;

    @Param({"1000", "10000", "100000"})
    public int devices;

    private final Tuple[] rows = new Tuple[ROWS];
    private final Batch batch = new Batch();

    @Setup(Level.Trial)
    public void make() {
        TupleWriter writer = new TupleWriter(Fleet.COLUMNS);
        for (int i = 0; i < ROWS; i++) {
            writer.begin();
            writer.putTimestamp(i / devices);
            writer.putText("host_" + 2 * (i % devices));
            writer.putInt8(i);
            writer.putFloat8(i);
            rows[i] = writer.end().copy();
        }
        fill();
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public int fill() {
        batch.reset(1);
        for (Tuple row : rows) {
            batch.add(row);
        }
        return batch.keys();
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public int[] order() {
        return batch.order();
    }

    /** For the command above; its name keeps it out of the ordinary tests. */
    @Test
    void run() throws RunnerException {
        new Runner(new OptionsBuilder().include(BatchBenchmark.class.getName()).build()).run();
    }
}
