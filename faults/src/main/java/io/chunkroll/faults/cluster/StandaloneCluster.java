package io.chunkroll.faults.cluster;

import io.chunkroll.job.cluster.ClusterException;
import io.chunkroll.job.cluster.FlinkRest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running Flink cluster: one JobManager and TaskManagers, each a process of this machine that listens on 127.0.0.1 only. The job is
 * restarted when it fails, half a second later and as often as need be; checkpoints stay when it is cancelled.
 *
 * <p>Closing kills all processes and deletes all files, checkpoints too. What is still open when the JVM exits is closed then. Not safe
 * for several threads.
 */
public final class StandaloneCluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StandaloneCluster.class);
    private static final Set<StandaloneCluster> OPEN = ConcurrentHashMap.newKeySet();
    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final String RESULT = "BASH_JAVA_UTILS_EXEC_RESULT:";
    private static final int LAST_LINES = 30;
    private static final String JOB_MANAGER = "jobmanager";
    private static final String CHECKPOINT_PREFIX = "chk-";

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(StandaloneCluster::closeAll, "chunkroll-cluster-close"));
    }

    private final ClusterOptions options;
    private final ClusterFolder folder;
    private final Map<String, JavaProcess> processes = new ConcurrentHashMap<>();
    private final FlinkRest rest;
    private List<String> memoryOfJvm = List.of();
    private List<String> memoryOfFlink = List.of();
    private int started;

    private StandaloneCluster(ClusterOptions options, ClusterFolder folder, int restPort) {
        this.options = options;
        this.folder = folder;
        rest = new FlinkRest(URI.create("http://127.0.0.1:" + restPort));
    }

    /** Starts a cluster; on return all its TaskManagers have reported. Takes 10 to 20 seconds. */
    public static StandaloneCluster start(ClusterOptions options) {
        ClusterFolder folder = ClusterFolder.make();
        int rpcPort = Ports.free();
        int restPort = Ports.free();
        folder.configure(options, rpcPort, restPort);
        StandaloneCluster cluster = new StandaloneCluster(options, folder, restPort);
        OPEN.add(cluster);
        try {
            cluster.startJobManager();
            cluster.computeMemory();
            for (int i = 0; i < options.taskManagers(); i++) {
                cluster.startTaskManager();
            }
            cluster.awaitTaskManagers(options.taskManagers());
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private List<String> program(String main, String... words) {
        List<String> program =
                new ArrayList<>(List.of(main, "--configDir", folder.conf().toString()));
        program.addAll(List.of(words));
        return program;
    }

    /**
     * Starts the JobManager again after {@link #killJobManager()}, on the same ports; it knows nothing of the jobs before. Does nothing
     * while it runs.
     */
    public void startJobManager() {
        if (processes.containsKey(JOB_MANAGER) && processes.get(JOB_MANAGER).isAlive()) {
            return;
        }
        String main = "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint";
        processes.put(
                JOB_MANAGER, JavaProcess.start(JOB_MANAGER, folder, options.lib(), List.of("-Xmx512m"), program(main)));
    }

    /** Kills the JobManager with signal 9. The TaskManagers stay, and notice some seconds later. */
    public void killJobManager() {
        kill(JOB_MANAGER);
    }

    /** A TaskManager wants to be told how its memory is divided; Flink's scripts ask the same class. */
    private void computeMemory() {
        List<String> printed = JavaProcess.run(
                        folder,
                        options.lib(),
                        List.of(
                                "org.apache.flink.runtime.util.bash.BashJavaUtils",
                                "GET_TM_RESOURCE_PARAMS",
                                "--configDir",
                                folder.conf().toString()))
                .stream()
                .filter(line -> line.startsWith(RESULT))
                .map(line -> line.substring(RESULT.length()))
                .toList();
        if (printed.size() != 2) {
            throw new ClusterException("BashJavaUtils does not tell the memory of a TaskManager, but " + printed);
        }
        memoryOfJvm = List.of(printed.get(0).strip().split("\\s+"));
        memoryOfFlink = List.of(printed.get(1).strip().split("\\s+"));
    }

    /** Runs Flink's own command line, such as {@code run -d JAR …}, to its end and returns what it printed. */
    public List<String> flink(List<String> words) {
        List<String> program = new ArrayList<>(List.of("org.apache.flink.client.cli.CliFrontend"));
        program.addAll(words);
        return JavaProcess.run(folder, options.lib(), program);
    }

    /** Starts one more TaskManager and returns its name at once; it reports some seconds later. */
    public String startTaskManager() {
        String name = "taskmanager-" + ++started;
        List<String> program = program(
                "org.apache.flink.runtime.taskexecutor.TaskManagerRunner", "-D", "taskmanager.resource-id=" + name);
        program.addAll(memoryOfFlink);
        processes.put(name, JavaProcess.start(name, folder, options.lib(), memoryOfJvm, program));
        return name;
    }

    /** Kills a TaskManager with signal 9. */
    public void killTaskManager(String name) {
        kill(name);
    }

    private void kill(String name) {
        JavaProcess process = processes.remove(name);
        if (process == null) {
            throw new IllegalArgumentException("There is no " + name + ", but " + processes.keySet());
        }
        process.kill();
    }

    /** The names of the TaskManagers whose processes run. */
    public List<String> taskManagers() {
        return processes.values().stream()
                .filter(process -> process.isAlive() && process.name().startsWith("taskmanager"))
                .map(JavaProcess::name)
                .sorted()
                .toList();
    }

    /** Waits till so many TaskManagers have reported. */
    public void awaitTaskManagers(int count) {
        try {
            Awaitility.await(count + " TaskManagers")
                    .atMost(START_LIMIT)
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> everyProcessLives() && rest.answers() && rest.taskManagers() >= count);
        } catch (ConditionTimeoutException | ClusterException e) {
            throw new ClusterException("The cluster does not come up. " + lastWords(), e);
        }
    }

    private boolean everyProcessLives() {
        for (JavaProcess process : processes.values()) {
            if (!process.isAlive()) {
                throw new ClusterException(process.name() + " ended");
            }
        }
        return true;
    }

    /**
     * The newest complete checkpoint of a job, as its files tell: for when no JobManager is left to ask, or when REST's answer, which may
     * be a moment old, will not do.
     */
    public Optional<String> newestCheckpoint(String job) {
        Path ofJob = folder.checkpoints(options).resolve(job);
        try (Stream<Path> checkpoints = Files.list(ofJob)) {
            return checkpoints
                    .filter(checkpoint -> checkpoint.getFileName().toString().startsWith(CHECKPOINT_PREFIX)
                            && Files.exists(checkpoint.resolve("_metadata")))
                    .max(Comparator.comparingLong(StandaloneCluster::numberOf))
                    .map(checkpoint -> checkpoint.toUri().toString());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look for checkpoints in " + ofJob, e);
        }
    }

    private static long numberOf(Path checkpoint) {
        return Long.parseLong(checkpoint.getFileName().toString().substring(CHECKPOINT_PREFIX.length()));
    }

    /** The ends of all logs, for messages. */
    public String lastWords() {
        return processes.values().stream()
                .map(process -> "--- " + process.name() + "\n" + process.lastWords(LAST_LINES) + "\n")
                .collect(Collectors.joining());
    }

    /** How to talk to it. */
    public FlinkRest rest() {
        return rest;
    }

    /** A folder that all processes see. */
    public Path savepoints() {
        return folder.savepoints();
    }

    /** Where each process writes its log. */
    public Path logs() {
        return folder.logs();
    }

    @Override
    public void close() {
        if (OPEN.remove(this)) {
            processes.values().forEach(JavaProcess::close);
            folder.delete();
        }
    }

    private static void closeAll() {
        for (StandaloneCluster cluster : OPEN) {
            try {
                cluster.close();
            } catch (RuntimeException e) {
                LOG.warn("could not close a cluster", e);
            }
        }
    }
}
