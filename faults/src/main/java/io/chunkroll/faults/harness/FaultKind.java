package io.chunkroll.faults.harness;

import io.chunkroll.faults.machine.SmallDisk;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What can befall a load. */
enum FaultKind {
    TASK_MANAGER_KILLED("kill -9 of a TaskManager") {
        @Override
        void strike(Rig rig, RunningLoad load, Random random) {
            List<String> busy = rig.cluster().rest().busyTaskManagers();
            busy.retainAll(rig.cluster().taskManagers());
            if (!busy.isEmpty()) {
                rig.cluster().killTaskManager(busy.get(random.nextInt(busy.size())));
                rig.cluster().startTaskManager();
            }
        }
    },
    SERVER_KILLED("server killed, started again") {
        @Override
        void strike(Rig rig, RunningLoad load, Random random) {
            rig.server().kill();
            pause(between(random, 0, 2_000));
            rig.server().start();
        }
    },
    SERVER_FROZEN("server frozen for 20 s") {
        @Override
        void strike(Rig rig, RunningLoad load, Random random) {
            rig.server().freeze();
            pause(FREEZE);
            rig.server().thaw();
        }
    },
    CONNECTIONS_TERMINATED("pg_terminate_backend of all clients") {
        @Override
        void strike(Rig rig, RunningLoad load, Random random) throws SQLException {
            try (Connection connection = rig.server().connect()) {
                Sql.list(
                        connection,
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                + " WHERE application_name LIKE 'chunkroll%'");
            }
        }
    },
    CONNECTIONS_CUT("connections cut by the network") {
        @Override
        void strike(Rig rig, RunningLoad load, Random random) {
            int times = 1 + random.nextInt(3);
            for (int i = 0; i < times; i++) {
                rig.proxy().cut();
                pause(between(random, 0, 300));
            }
        }
    },
    NETWORK_DROPPED("network dropped for seconds") {
        @Override
        void strike(Rig rig, RunningLoad load, Random random) {
            rig.proxy().drop();
            pause(between(random, 2_000, 6_000));
            switch (random.nextInt(3)) {
                case 0 -> rig.proxy().cut();
                case 1 -> rig.proxy().cutClientsOnly();
                default -> LOG.debug("The connections outlive it");
            }
            rig.proxy().restore();
        }
    },
    TABLE_DISK_FULL("disk of the tables full") {
        @Override
        Optional<SmallDisk> disk(SmallDisks disks) {
            return disks.tables();
        }
    },
    LOG_DISK_FULL("disk of the write-ahead log full") {
        @Override
        Optional<SmallDisk> disk(SmallDisks disks) {
            return disks.log();
        }

        @Override
        void meanwhile(Rig rig) {
            // The segments that lie ready are used up, so that the server soon wants a new one, and crashes.
            try (Connection connection = rig.server().connect()) {
                for (int i = 0; i < LOG_SEGMENTS; i++) {
                    Sql.list(connection, "SELECT pg_logical_emit_message(false, 'faults', 'full'), pg_switch_wal()");
                }
            } catch (SQLException e) {
                LOG.debug("The server is down", e);
            }
        }
    },
    CHECKPOINT_DISK_FULL("disk of the checkpoints full") {
        @Override
        Optional<SmallDisk> disk(SmallDisks disks) {
            return disks.checkpoints();
        }
    },
    RESCALED("rescaled from a savepoint") {
        @Override
        void strike(Rig rig, RunningLoad load, Random random) {
            load.rescale();
        }

        @Override
        boolean needsRunningJob() {
            return true;
        }
    },
    RESUBMITTED("cancelled, submitted again from the last checkpoint") {
        @Override
        void strike(Rig rig, RunningLoad load, Random random) {
            load.resubmit();
        }

        @Override
        boolean needsRunningJob() {
            return true;
        }
    };

    private static final Logger LOG = LoggerFactory.getLogger(FaultKind.class);
    private static final Duration FREEZE = Duration.ofSeconds(20);
    private static final int LOG_SEGMENTS = 20;

    private final String title;

    FaultKind(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** Does it, and mends what would not mend by itself; whether the load lives on is another matter. */
    void strike(Rig rig, RunningLoad load, Random random) throws SQLException {
        SmallDisk disk = disk(rig.disks()).orElseThrow();
        disk.fill();
        meanwhile(rig);
        pause(between(random, 2_000, 6_000));
        disk.relieve();
        rig.server().start();
    }

    /** The disk that this kind fills, where it is there. */
    Optional<SmallDisk> disk(SmallDisks disks) {
        return Optional.empty();
    }

    /** What else is done while the disk is full. */
    void meanwhile(Rig rig) {}

    private boolean fillsADisk() {
        return this == TABLE_DISK_FULL || this == LOG_DISK_FULL || this == CHECKPOINT_DISK_FULL;
    }

    /** Whether this machine allows it. */
    boolean isPossible(Rig rig) {
        return !fillsADisk() || disk(rig.disks()).isPresent();
    }

    /** Whether it makes no sense any more when the input ends. */
    boolean needsRunningJob() {
        return false;
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
