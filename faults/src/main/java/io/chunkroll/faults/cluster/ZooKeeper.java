package io.chunkroll.faults.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** ZooKeeper's server, which tells a cluster's JobManagers which of them leads: the one that is among the jars of Flink itself. */
final class ZooKeeper {
    static final String NAME = "zookeeper";

    private static final String MAIN =
            "org.apache.flink.shaded.zookeeper3.org.apache.zookeeper.server.ZooKeeperServerMain";
    /** After so long without a sign of life a JobManager no longer leads: long enough for a machine that is short of breath. */
    private static final String SESSION_MILLIS = "6000";

    private ZooKeeper() {}

    /** What the cluster must know of it. */
    static Map<String, String> settings(ClusterFolder folder, int port) {
        return Map.of(
                "high-availability.type",
                "zookeeper",
                "high-availability.zookeeper.quorum",
                "127.0.0.1:" + port,
                "high-availability.zookeeper.client.session-timeout",
                SESSION_MILLIS,
                "high-availability.storageDir",
                folder.root().resolve("ha").toUri().toString());
    }

    static JavaProcess start(ClusterFolder folder, Path lib, int port) {
        Path data = folder.root().resolve(NAME);
        Path configuration = folder.conf().resolve("zoo.cfg");
        try {
            Files.createDirectories(data);
            Files.writeString(
                    configuration,
                    "dataDir=" + data + "\nclientPortAddress=127.0.0.1\nclientPort=" + port
                            + "\ntickTime=1000\nadmin.enableServer=false\n");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot configure ZooKeeper in " + folder.root(), e);
        }
        return JavaProcess.start(NAME, folder, lib, List.of("-Xmx128m"), List.of(MAIN, configuration.toString()));
    }
}
