package io.chunkroll.faults.harness;

import io.chunkroll.faults.machine.SmallDisk;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How each {@link FaultKind} is done. */
final class Faults {
    private static final Logger LOG = LoggerFactory.getLogger(Faults.class);
    private static final Duration FREEZE = Duration.ofSeconds(20);
    private static final int LOG_SEGMENTS = 20;

    private Faults() {}

    /** Does it, and mends what would not mend by itself; whether the load lives on is another matter. */
    static void strike(FaultKind kind, Rig rig, RunningLoad load, Random random) throws SQLException {
        switch (kind) {
            case TASK_MANAGER_KILLED -> killTaskManager(rig, random);
            case JOB_MANAGER_KILLED -> killJobManager(rig, load);
            case SERVER_KILLED -> killServer(rig, random);
            case SERVER_FROZEN -> freezeServer(rig);
            case CONNECTIONS_TERMINATED -> terminateConnections(rig);
            case CONNECTIONS_CUT -> cutConnections(rig, random);
            case NETWORK_DROPPED -> dropNetwork(rig, random);
            case TABLE_DISK_FULL -> fillDisk(disks(rig).tables(), random);
            case LOG_DISK_FULL -> fillLogDisk(rig, random);
            case CHECKPOINT_DISK_FULL -> fillDisk(disks(rig).checkpoints(), random);
            case RESCALED -> load.rescale();
            case RESUBMITTED -> load.resubmit();
        }
    }

    private static SmallDisks disks(Rig rig) {
        return rig.disks().orElseThrow();
    }

    private static void killTaskManager(Rig rig, Random random) {
        List<String> busy = rig.cluster().rest().busyTaskManagers();
        // One that was killed a moment ago may still be listed.
        busy.retainAll(rig.cluster().taskManagers());
        if (!busy.isEmpty()) {
            rig.cluster().killTaskManager(busy.get(random.nextInt(busy.size())));
            rig.cluster().startTaskManager();
        }
    }

    private static void killJobManager(Rig rig, RunningLoad load) {
        rig.cluster().killJobManager();
        rig.cluster().startJobManager();
        load.submitToNewJobManager();
    }

    private static void killServer(Rig rig, Random random) {
        rig.server().kill();
        pause(between(random, 0, 2_000));
        rig.server().start();
    }

    private static void freezeServer(Rig rig) {
        rig.server().freeze();
        pause(FREEZE);
        rig.server().thaw();
    }

    private static void terminateConnections(Rig rig) throws SQLException {
        try (Connection connection = rig.server().connect()) {
            Sql.list(
                    connection,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'chunkroll%'");
        }
    }

    private static void cutConnections(Rig rig, Random random) {
        int times = 1 + random.nextInt(3);
        for (int i = 0; i < times; i++) {
            rig.proxy().cut();
            pause(between(random, 0, 300));
        }
    }

    private static void dropNetwork(Rig rig, Random random) {
        rig.proxy().drop();
        pause(between(random, 2_000, 6_000));
        switch (random.nextInt(3)) {
            case 0 -> rig.proxy().cut();
            case 1 -> rig.proxy().cutClientsOnly();
            default -> LOG.debug("The connections outlive it");
        }
        rig.proxy().restore();
    }

    private static void fillDisk(SmallDisk disk, Random random) {
        disk.fill();
        pause(between(random, 2_000, 6_000));
        disk.relieve();
    }

    /** It takes the server down, which does not come up before there is room. */
    private static void fillLogDisk(Rig rig, Random random) {
        SmallDisk disk = disks(rig).log();
        disk.fill();
        useUpLog(rig);
        pause(between(random, 2_000, 6_000));
        disk.relieve();
        rig.server().start();
    }

    /** Segments that lie ready are used up, so that the server wants a new one at once. */
    private static void useUpLog(Rig rig) {
        try (Connection connection = rig.server().connect()) {
            for (int i = 0; i < LOG_SEGMENTS; i++) {
                Sql.list(connection, "SELECT pg_logical_emit_message(false, 'faults', 'full'), pg_switch_wal()");
            }
        } catch (SQLException e) {
            LOG.debug("The server is down", e);
        }
    }

    static Duration between(Random random, int leastMillis, int mostMillis) {
        return Duration.ofMillis(leastMillis + random.nextInt(mostMillis - leastMillis));
    }

    /** Lets time pass: how long is a part of the fault, and decides nothing else. */
    static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RoundException("interrupted", e);
        }
    }
}
