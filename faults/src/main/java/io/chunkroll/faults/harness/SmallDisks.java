package io.chunkroll.faults.harness;

import io.chunkroll.faults.machine.SmallDisk;
import io.chunkroll.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A small disk for the server's tables, one for its write-ahead log, one for the job's checkpoints. */
record SmallDisks(SmallDisk tables, SmallDisk log, SmallDisk checkpoints) implements AutoCloseable {
    private static final int COUNT = 3;
    /** Well above what tables and log of a load come to. */
    private static final int MEGABYTES = 256;

    /** Empty where the machine lets us mount none. */
    static Optional<SmallDisks> mount() {
        List<SmallDisk> disks = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            SmallDisk.mount(MEGABYTES).ifPresent(disks::add);
        }
        if (disks.size() == COUNT) {
            return Optional.of(new SmallDisks(disks.get(0), disks.get(1), disks.get(2)));
        }
        disks.forEach(SmallDisk::close);
        return Optional.empty();
    }

    /** Moves the server's log to its disk, and has all tables that are made from now on stored on theirs. */
    void attach(PostgresServer server) throws IOException, SQLException {
        Path data;
        try (Connection connection = server.connect()) {
            data = Path.of(Sql.one(connection, "SHOW data_directory"));
        }
        server.stop();
        Path from = data.resolve("pg_wal");
        Path to = log.folder().resolve("pg_wal");
        move(from, to);
        Files.createSymbolicLink(from, to);
        server.start();
        Path place = Files.createDirectory(tables.folder().resolve("tables"));
        Files.setOwner(place, Files.getOwner(data));
        try (Connection connection = server.connect()) {
            Sql.execute(connection, "CREATE TABLESPACE small LOCATION '" + place + "'");
            Sql.execute(connection, "ALTER DATABASE " + connection.getCatalog() + " SET default_tablespace = small");
        }
    }

    /** From one disk to another, with all owners. */
    private static void move(Path from, Path to) throws IOException {
        try {
            Process move = new ProcessBuilder("mv", from.toString(), to.toString())
                    .inheritIO()
                    .start();
            if (move.waitFor() != 0) {
                throw new IOException("cannot move " + from + " to " + to);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    void relieve() {
        tables.relieve();
        log.relieve();
        checkpoints.relieve();
    }

    @Override
    public void close() {
        tables.close();
        log.close();
        checkpoints.close();
    }
}
