package io.chunkroll.sources.csv;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.TableDescription;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.flink.connector.file.src.FileSourceSplit;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Nanoseconds a row, from a file in the page cache to encoded tuples, without a job: scanner, parsers, encoder.
 *
 * <p>{@code mvn test -pl sources -am -Dtest=CsvReadBenchmark -Dsurefire.failIfNoSpecifiedTests=false}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(value = 2, jvmArgsAppend = "-XX:+UseParallelGC")
public class CsvReadBenchmark {
    private static final int ROWS = 200_000;
    private static final int HOSTS = 2_000;
    private static final int METRICS = 10;

    /** How a metric is written: whole, with three decimals, in full precision, quoted. */
    @Param({"%.0f", "%.3f", "%s", "\"%.0f\""})
    public String metric;

    private Path file;
    private CsvSource source;

    @Setup(Level.Trial)
    public void write() throws IOException {
        file = Files.createTempFile("cpu", ".csv");
        write(file, metric);
        source = CsvSource.plan(CsvOptions.of(file.toString()), table());
    }

    @TearDown(Level.Trial)
    public void delete() throws IOException {
        Files.delete(file);
    }

    @Benchmark
    @OperationsPerInvocation(ROWS)
    public long read() throws IOException {
        long[] bytes = new long[1];
        CsvFormat format = source.format();
        for (FileSourceSplit split : CsvReading.splits(source)) {
            CsvReading.forEach(format, split, row -> bytes[0] += row.getRecord().length());
        }
        return bytes[0];
    }

    /** For the command above; its name keeps it out of the ordinary tests. */
    @Test
    void run() throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(CsvReadBenchmark.class.getName())
                        .build())
                .run();
    }

    private static void write(Path file, String metric) throws IOException {
        Random random = new Random(1);
        Instant start = Instant.parse("2026-01-01T00:00:00Z");
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write(String.join(
                    ",", table().columns().stream().map(Column::name).toList()));
            out.write('\n');
            for (int i = 0; i < ROWS; i++) {
                out.append(start.plusSeconds(10L * (i / HOSTS)).toString()).append(",host_" + i % HOSTS);
                for (int j = 0; j < METRICS; j++) {
                    out.append(',').append(String.format(metric, 100 * random.nextDouble()));
                }
                out.write('\n');
            }
        }
    }

    private static TableDescription table() {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("time", ColumnType.TIMESTAMPTZ, "timestamp with time zone", true));
        columns.add(new Column("hostname", ColumnType.TEXT, "text", true));
        for (int i = 0; i < METRICS; i++) {
            columns.add(new Column("usage_" + i, ColumnType.FLOAT8, "double precision", false));
        }
        return new TableDescription(columns, 0, 1);
    }
}
