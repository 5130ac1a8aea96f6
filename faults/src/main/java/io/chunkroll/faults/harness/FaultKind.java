package io.chunkroll.faults.harness;

/** What can befall a load; {@link Faults} does it. */
enum FaultKind {
    TASK_MANAGER_KILLED("kill -9 of a TaskManager", Needs.NOTHING),
    JOB_MANAGER_KILLED("kill -9 of the JobManager, submitted again", Needs.A_RUNNING_JOB),
    SERVER_KILLED("server killed, started again", Needs.NOTHING),
    SERVER_FROZEN("server frozen for 20 s", Needs.NOTHING),
    CONNECTIONS_TERMINATED("pg_terminate_backend of all clients", Needs.NOTHING),
    CONNECTIONS_CUT("connections cut by the network", Needs.NOTHING),
    NETWORK_DROPPED("network dropped for seconds", Needs.NOTHING),
    TABLE_DISK_FULL("disk of the tables full", Needs.SMALL_DISKS),
    LOG_DISK_FULL("disk of the write-ahead log full", Needs.SMALL_DISKS),
    CHECKPOINT_DISK_FULL("disk of the checkpoints full", Needs.SMALL_DISKS),
    RESCALED("rescaled from a savepoint", Needs.A_RUNNING_JOB),
    RESUBMITTED("cancelled, submitted again from the last checkpoint", Needs.A_RUNNING_JOB);

    /** Without which a fault cannot be done. */
    enum Needs {
        NOTHING,
        /** One that will not be over the next moment. */
        A_RUNNING_JOB,
        /** A machine that lets them be mounted. */
        SMALL_DISKS
    }

    private final String title;
    private final Needs needs;

    FaultKind(String title, Needs needs) {
        this.title = title;
        this.needs = needs;
    }

    String title() {
        return title;
    }

    boolean needs(Needs what) {
        return needs == what;
    }
}
