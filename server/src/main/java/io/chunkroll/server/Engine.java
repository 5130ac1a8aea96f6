package io.chunkroll.server;

import java.util.List;
import java.util.OptionalLong;

/** What runs a server whose data are in one place: processes of this host, or a container. Not safe for several threads. */
sealed interface Engine permits NativeEngine, DockerEngine {
    /**
     * Starts the server; makes its data first where there are none. Returns when it takes connections.
     *
     * @throws FreePort.TakenException if another program has the port
     * @throws ServerUnavailableException if it does not start, with PostgreSQL's own words
     */
    void start(int port, ServerSettings settings);

    boolean isRunning();

    /** Breaks off what clients do, writes everything to disk, ends. Returns when nothing runs any more. */
    void stop();

    /** Ends it like a crash. */
    void kill();

    void freeze();

    void thaw();

    /** Stops it and deletes its data. */
    void delete();

    OptionalLong postmasterPid();

    /** How psql is started, without arguments. */
    List<String> psql();
}
