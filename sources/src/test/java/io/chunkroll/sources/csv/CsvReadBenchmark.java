package io.chunkroll.sources.csv;

import io.chunkroll.rows.Column;
import io.chunkroll.rows.ColumnType;
import io.chunkroll.rows.TableDescription;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.flink.connector.file.src.FileSourceSplit;

/**
 * Rows per second of one thread's CPU time, from a file in the page cache to tuples, without a job. Arguments: rows (2,000,000),
 * rounds (8). Prints every round.
 */
final class CsvReadBenchmark {
    private static final int HOSTS = 2_000;
    private static final int METRICS = 10;

    private CsvReadBenchmark() {}

    public static void main(String[] args) throws IOException {
        int rows = args.length > 0 ? Integer.parseInt(args[0]) : 2_000_000;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 8;
        for (String metric : List.of("%.0f", "%.3f", "\"%.0f\"")) {
            Path file = Files.createTempFile("cpu", ".csv");
            try {
                write(file, rows, metric);
                for (int round = 1; round <= rounds; round++) {
                    System.out.printf("%s, round %d: %s%n", metric, round, measure(file, rows));
                }
            } finally {
                Files.delete(file);
            }
        }
    }

    private static String measure(Path file, int rows) {
        CsvSource source = CsvSource.plan(CsvOptions.of(file.toString()), table());
        CsvFormat format = source.format();
        long wall = System.nanoTime();
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long[] read = new long[2];
        for (FileSourceSplit split : CsvReading.splits(source)) {
            CsvReading.forEach(format, split, row -> {
                read[0]++;
                read[1] += row.getRecord().length();
            });
        }
        double cpuSeconds = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / 1e9;
        double seconds = (System.nanoTime() - wall) / 1e9;
        if (read[0] != rows) {
            throw new IllegalStateException(read[0] + " rows read of " + rows);
        }
        return String.format(
                "%.0f rows/s of CPU time, %.0f rows/s, %d bytes a row, %d a tuple",
                rows / cpuSeconds, rows / seconds, file.toFile().length() / rows, read[1] / rows);
    }

    private static void write(Path file, int rows, String metric) throws IOException {
        Random random = new Random(1);
        Instant start = Instant.parse("2026-01-01T00:00:00Z");
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write(String.join(
                    ",", table().columns().stream().map(Column::name).toList()));
            out.write('\n');
            for (int i = 0; i < rows; i++) {
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
