package io.chunkroll.faults.harness;

import io.chunkroll.faults.cluster.ClusterOptions;
import io.chunkroll.faults.cluster.StandaloneCluster;
import io.chunkroll.faults.machine.FaultProxy;
import io.chunkroll.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All that a load needs and that can fail: a cluster, a server, the network between the two, small disks. Made once for all rounds.
 *
 * @param folder for files with rows, and run folders
 * @param disks empty where this machine allows none
 * @param jar the job jar
 */
record Rig(
        Path folder,
        PostgresServer server,
        FaultProxy proxy,
        Optional<SmallDisks> disks,
        StandaloneCluster cluster,
        Reference reference,
        Path jar)
        implements AutoCloseable {

    static Rig set(Path lib, Path jar) throws IOException, SQLException {
        Path folder = Files.createTempDirectory("chunkroll-faults-");
        PostgresServer server = PostgresServer.startPrivate(Map.of("max_wal_size", "96MB"));
        Reference reference = Reference.make(server, folder);
        Optional<SmallDisks> disks = SmallDisks.mount();
        // Else a checkpoint that begins as a TaskManager dies, and whose messages are lost with it, holds up all that
        // come
        // after it for ten minutes.
        ClusterOptions options = ClusterOptions.small(lib).with("execution.checkpointing.timeout", "20 s");
        if (disks.isPresent()) {
            disks.get().attach(server);
            Path checkpoints = disks.get().checkpoints().folder().resolve("checkpoints");
            options = options.with(
                    "execution.checkpointing.dir", checkpoints.toUri().toString());
        }
        StandaloneCluster cluster = StandaloneCluster.start(options);
        return new Rig(folder, server, new FaultProxy(server.port()), disks, cluster, reference, jar);
    }

    /** Where the job finds the server: behind the proxy. */
    String url() {
        return server.jdbcUrl().replace(":" + server.port() + "/", ":" + proxy.port() + "/");
    }

    /** Undoes what a fault may have left, whatever it was. */
    void mend() {
        disks.ifPresent(SmallDisks::relieve);
        proxy.throttle(0);
        proxy.restore();
        proxy.forget();
        server.thaw();
        server.start();
        cluster.startJobManager();
        for (int missing = cluster.taskManagers().size(); missing < 2; missing++) {
            cluster.startTaskManager();
        }
    }

    /** Takes away what a round left that failed, so that the next begins with nothing. */
    void sweep() throws SQLException {
        mend();
        try (Connection connection = server.connect()) {
            for (String transaction : Sql.list(connection, "SELECT gid FROM pg_prepared_xacts")) {
                Sql.execute(connection, "ROLLBACK PREPARED '" + transaction.replace("'", "''") + "'");
            }
            Sql.list(
                    connection,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'chunkroll%'");
        }
        dropTable();
    }

    /** Takes away the last round's table. The job could not: it would drop its own each time it is submitted again. */
    void dropTable() throws SQLException {
        try (Connection connection = server.connect()) {
            Sql.execute(connection, "DROP TABLE IF EXISTS " + LoadPlan.TABLE + " CASCADE");
        }
    }

    @Override
    public void close() throws IOException {
        cluster.close();
        proxy.close();
        server.close();
        disks.ifPresent(SmallDisks::close);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
