package io.chunkroll.faults.cluster;

import io.chunkroll.job.cluster.ClusterException;
import io.chunkroll.job.cluster.FlinkRest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running Flink cluster: JobManagers and TaskManagers, each a process of this machine that listens on 127.0.0.1 only. The job is
 * restarted when it fails, half a second later and as often as need be; checkpoints stay when it is cancelled. With more than one
 * JobManager there is a ZooKeeper, too.
 *
 * <p>Closing kills all processes and deletes all files, checkpoints too. What is still open when the JVM exits is closed then. Not safe
 * for several threads.
 */
public final class StandaloneCluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StandaloneCluster.class);
    private static final Set<StandaloneCluster> OPEN = ConcurrentHashMap.newKeySet();
    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final int LAST_LINES = 30;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(StandaloneCluster::closeAll, "chunkroll-cluster-close"));
    }

    private final ClusterOptions options;
    private final ClusterFolder folder;
    private final Map<String, JavaProcess> processes = new ConcurrentHashMap<>();
    private final List<JobManager> jobManagers;
    private TaskManagerMemory memory = new TaskManagerMemory(List.of(), List.of());
    private int started;

    private StandaloneCluster(ClusterOptions options, ClusterFolder folder) {
        this.options = options;
        this.folder = folder;
        jobManagers = JobManager.places(options.jobManagers());
    }

    /** Starts a cluster; on return all its TaskManagers have reported. Takes 10 to 20 seconds. */
    public static StandaloneCluster start(ClusterOptions options) {
        ClusterFolder folder = ClusterFolder.make();
        StandaloneCluster cluster = new StandaloneCluster(options, folder);
        OPEN.add(cluster);
        try {
            cluster.configure();
            cluster.startJobManager();
            cluster.memory = TaskManagerMemory.compute(folder, options.lib());
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

    private void configure() {
        Map<String, String> settings = new TreeMap<>();
        if (options.isHighlyAvailable()) {
            int port = Ports.free();
            settings.putAll(ZooKeeper.settings(folder, port));
            processes.put(ZooKeeper.NAME, ZooKeeper.start(folder, options.lib(), port));
        }
        settings.putAll(options.settings());
        folder.configure(options, jobManagers.get(0), settings);
    }

    /**
     * Starts every JobManager that does not run, also again after {@link #killJobManager()}, on the same ports; where there is but one, it
     * knows nothing of the jobs before.
     */
    public void startJobManager() {
        for (JobManager place : jobManagers) {
            if (!isAlive(place)) {
                processes.put(place.name(), place.start(folder, options));
            }
        }
    }

    private boolean isAlive(JobManager place) {
        JavaProcess process = processes.get(place.name());
        return process != null && process.isAlive();
    }

    /**
     * Kills the JobManager that leads with signal 9. The TaskManagers stay, and notice some seconds later.
     *
     * @throws ClusterException if there are several and none of them leads
     */
    public void killJobManager() {
        kill(options.isHighlyAvailable() ? leader() : jobManagers.get(0).name());
    }

    private String leader() {
        return jobManagers.stream()
                .filter(this::isAlive)
                .map(place -> processes.get(place.name()))
                .filter(JobManager::leads)
                .map(JavaProcess::name)
                .findFirst()
                .orElseThrow(() -> new ClusterException("No JobManager leads. " + lastWords()));
    }

    /**
     * Waits till the JobManager has ended of itself, as it does with its job in application mode.
     *
     * @return its exit code
     */
    public int awaitJobManagerEnd(Duration patience) {
        return processes.get(jobManagers.get(0).name()).awaitEnd(patience);
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
        List<String> program = new ArrayList<>(List.of(
                "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
                "--configDir",
                folder.conf().toString(),
                "-D",
                "taskmanager.resource-id=" + name));
        program.addAll(memory.flink());
        processes.put(name, JavaProcess.start(name, folder, options.lib(), memory.jvm(), program));
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
                    .until(() -> everyProcessLives() && rest().answers() && rest().taskManagers() >= count);
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
        return ClusterFolder.newestCheckpoint(folder.checkpoints(options).resolve(job));
    }

    /** The ends of all logs, for messages. */
    public String lastWords() {
        return processes.values().stream()
                .map(process -> "--- " + process.name() + "\n" + process.lastWords(LAST_LINES) + "\n")
                .collect(Collectors.joining());
    }

    /** How to talk to it: by way of a JobManager that lives, where one does; whether it leads or not, the one that leads answers. */
    public FlinkRest rest() {
        return jobManagers.stream()
                .filter(this::isAlive)
                .findFirst()
                .orElse(jobManagers.get(0))
                .rest();
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
