package io.chunkroll.faults.harness;

import io.chunkroll.faults.machine.SmallDisk;
import io.chunkroll.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A small disk for the server's tables, one for its write-ahead log, one for the job's checkpoints: each is there or not, as the machine
 * allows.
 */
record SmallDisks(Optional<SmallDisk> tables, Optional<SmallDisk> log, Optional<SmallDisk> checkpoints)
        implements AutoCloseable {
    /** Of the log's sizes, so that a server settles well within its disk. */
    static final String MAX_LOG = "96MB";

    private static final int MEGABYTES = 256;

    static SmallDisks mount() {
        return new SmallDisks(SmallDisk.mount(MEGABYTES), SmallDisk.mount(MEGABYTES), SmallDisk.mount(MEGABYTES));
    }

    /** Moves the server's log to its disk, and has all tables that are made from now on stored on theirs. */
    void attach(PostgresServer server) throws IOException, SQLException {
        Path data;
        try (Connection connection = server.connect()) {
            data = Path.of(Sql.one(connection, "SHOW data_directory"));
        }
        if (log.isPresent()) {
            server.stop();
            Path from = data.resolve("pg_wal");
            Path to = log.get().folder().resolve("pg_wal");
            run("mv", from.toString(), to.toString());
            Files.createSymbolicLink(from, to);
            server.start();
        }
        if (tables.isPresent()) {
            Path place = Files.createDirectory(tables.get().folder().resolve("tables"));
            Files.setOwner(place, Files.getOwner(data));
            try (Connection connection = server.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLESPACE small LOCATION '" + place + "'");
                statement.execute("ALTER DATABASE " + connection.getCatalog() + " SET default_tablespace = small");
            }
        }
    }

    private static void run(String... words) throws IOException {
        try {
            if (new ProcessBuilder(words).inheritIO().start().waitFor() != 0) {
                throw new IOException(String.join(" ", words) + " failed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    List<SmallDisk> all() {
        List<SmallDisk> all = new ArrayList<>();
        tables.ifPresent(all::add);
        log.ifPresent(all::add);
        checkpoints.ifPresent(all::add);
        return all;
    }

    @Override
    public void close() {
        all().forEach(SmallDisk::close);
    }
}
