package io.chunkroll.faults.harness;

import io.chunkroll.server.PostgresServer;
import io.chunkroll.sources.fleet.DataSets;
import io.chunkroll.sources.fleet.FleetFileWriter;
import io.chunkroll.sources.fleet.FleetOptions;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The rows that every round loads, as a table of their own that psql filled, and as files with bad rows among them.
 *
 * @param files the folder with the files
 * @param badRows each bad row, as it stands in the files
 */
record Reference(Path files, Set<String> badRows) {
    static final String TABLE = "reference";
    static final int ROWS = 150_000;
    static final int ROWS_PER_SECOND = 4_000;
    /** What a row takes on the way to the server. */
    static final int BYTES_PER_ROW = 150;
    /** Nine chunks in a load. */
    static final String CHUNK_INTERVAL = "30 min";

    private static final int DEVICES = 100;
    private static final int FILES = 5;
    private static final int GOOD_ROWS_PER_BAD = 500;
    private static final FleetOptions FLEET = new FleetOptions(
            DataSets.CPU, ROWS, DEVICES, Instant.parse("2016-01-01T00:00:00Z"), Duration.ofSeconds(10), 123, 0);
    /** The same in a job's words. */
    static final Map<String, String> SOURCE = Map.of(
            "source.kind", "generated",
            "source.rows", String.valueOf(ROWS),
            "source.devices", String.valueOf(DEVICES));

    /** Writes the files into the folder and fills the table. */
    static Reference make(PostgresServer server, Path folder) throws IOException, SQLException {
        Path all = folder.resolve("all.csv");
        new FleetFileWriter(FLEET, all, false).write((rows, bytes) -> {});
        String columns = DataSets.CPU.table().columns().stream()
                .map(column -> column.name() + " " + column.sqlType())
                .collect(Collectors.joining(", "));
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + TABLE + " (" + columns + ")");
        }
        loadByPsql(server, all);
        Path files = Files.createDirectory(folder.resolve("csv"));
        Set<String> badRows = writeWithBadRows(Files.readAllLines(all), files);
        Files.delete(all);
        return new Reference(files, badRows);
    }

    private static void loadByPsql(PostgresServer server, Path file) throws IOException {
        Process psql = server.psql(
                        List.of("-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", "\\copy " + TABLE + " from stdin csv"))
                .redirectInput(file.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(psql.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (psql.waitFor() != 0) {
                throw new IOException("psql: " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static Set<String> writeWithBadRows(List<String> rows, Path folder) throws IOException {
        Set<String> badRows = new HashSet<>();
        int perFile = (rows.size() + FILES - 1) / FILES;
        for (int file = 0; file < FILES; file++) {
            List<String> part = rows.subList(file * perFile, Math.min(rows.size(), (file + 1) * perFile));
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < part.size(); i++) {
                lines.add(part.get(i));
                if (i % GOOD_ROWS_PER_BAD == GOOD_ROWS_PER_BAD / 2) {
                    String bad = badRow(part.get(i), file * perFile + i);
                    badRows.add(bad);
                    lines.add(bad);
                }
            }
            try (BufferedWriter out = Files.newBufferedWriter(folder.resolve("part-" + file + ".csv"))) {
                for (String line : lines) {
                    out.write(line);
                    out.write('\n');
                }
            }
        }
        return badRows;
    }

    /** No two are the same, so that each can be looked for. */
    private static String badRow(String good, int number) {
        String[] fields = good.split(",", 3);
        return switch (number / GOOD_ROWS_PER_BAD % 5) {
            case 0 -> fields[0] + "," + fields[1] + ",no number " + number + "," + fields[2];
            case 1 -> "no time " + number + "," + fields[1] + "," + fields[2];
            case 2 -> fields[0] + ",NUL \0 " + number + "," + fields[2];
            // Only the server finds out: the table's time must not be NULL.
            case 3 -> ",never " + number + "," + fields[2];
            default -> fields[0] + ",too few fields " + number;
        };
    }
}
