package io.chunkroll.faults.cluster;

import io.chunkroll.job.cluster.FlinkRest;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * The place of a JobManager: it is started there, and once more after it was killed.
 *
 * @param name of its process
 * @param rpcPort where TaskManagers find it, unless they ask ZooKeeper
 * @param rest how to talk to it, and through it to the one that leads
 */
record JobManager(String name, int rpcPort, int restPort, FlinkRest rest) {
    private static final String SESSION = "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint";
    private static final String APPLICATION =
            "org.apache.flink.container.entrypoint.StandaloneApplicationClusterEntryPoint";
    private static final String LEADS = "LeaderProcess.";

    /** The cluster's JobManagers, with ports that nobody has yet. */
    static List<JobManager> places(int count) {
        List<JobManager> places = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            int restPort = Ports.free();
            FlinkRest rest = new FlinkRest(URI.create("http://127.0.0.1:" + restPort));
            places.add(new JobManager("jobmanager-" + i, Ports.free(), restPort, rest));
        }
        return places;
    }

    JavaProcess start(ClusterFolder folder, ClusterOptions options) {
        List<String> program = new ArrayList<>(List.of(
                options.application().isEmpty() ? SESSION : APPLICATION,
                "--configDir",
                folder.conf().toString(),
                "-D",
                "rest.port=" + restPort,
                "-D",
                "jobmanager.rpc.port=" + rpcPort));
        program.addAll(options.application());
        return JavaProcess.start(name, folder, options.lib(), List.of("-Xmx512m"), program);
    }

    /** Whether the last that its log tells of leadership is that it has it. */
    static boolean leads(JavaProcess process) {
        List<String> told =
                process.log().stream().filter(line -> line.endsWith(LEADS)).toList();
        return !told.isEmpty() && told.get(told.size() - 1).contains("- Start ");
    }
}
