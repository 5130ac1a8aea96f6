package io.chunkroll.faults.cluster;

import io.chunkroll.job.cluster.ClusterException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All files of one cluster. Its processes are killed rather than ended, and so leave files behind: they must lie here.
 *
 * <pre>
 * conf/         config.yaml, log4j.properties      log/          a file for each process
 * tmp/          what a process thinks temporary    checkpoints/  retained when a job is cancelled
 * savepoints/                                      zookeeper/, ha/  with several JobManagers
 * </pre>
 */
record ClusterFolder(Path root) {
    private static final String CHECKPOINTS = "execution.checkpointing.dir";
    private static final String CHECKPOINT_PREFIX = "chk-";
    private static final String LOGGING = """
            rootLogger.level = INFO
            rootLogger.appenderRef.file.ref = file
            appender.file.type = File
            appender.file.name = file
            appender.file.fileName = ${sys:log.file}
            appender.file.layout.type = PatternLayout
            appender.file.layout.pattern = %d{HH:mm:ss.SSS} %-5p [%t] %c{1.} - %m%n%xThrowable
            logger.names.name = org.apache.flink.metrics.MetricGroup
            logger.names.level = ERROR
            """;

    static ClusterFolder make() {
        try {
            ClusterFolder folder = new ClusterFolder(Files.createTempDirectory("chunkroll-cluster-"));
            for (Path part :
                    new Path[] {folder.conf(), folder.logs(), folder.tmp(), folder.checkpoints(), folder.savepoints()
                    }) {
                Files.createDirectories(part);
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a folder for a cluster", e);
        }
    }

    Path conf() {
        return root.resolve("conf");
    }

    Path logs() {
        return root.resolve("log");
    }

    Path tmp() {
        return root.resolve("tmp");
    }

    Path checkpoints() {
        return root.resolve("checkpoints");
    }

    /** Where checkpoints lie with these options. */
    Path checkpoints(ClusterOptions options) {
        String set = options.settings().get(CHECKPOINTS);
        return set == null ? checkpoints() : Path.of(URI.create(set));
    }

    /** The newest complete checkpoint in a job's folder. */
    static Optional<String> newestCheckpoint(Path ofJob) {
        try (Stream<Path> checkpoints = Files.list(ofJob)) {
            return checkpoints
                    .filter(checkpoint -> checkpoint.getFileName().toString().startsWith(CHECKPOINT_PREFIX)
                            && Files.exists(checkpoint.resolve("_metadata")))
                    .max(Comparator.comparingLong(ClusterFolder::numberOf))
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

    Path savepoints() {
        return root.resolve("savepoints");
    }

    /**
     * Writes the configuration of a cluster.
     *
     * @param first the JobManager that is found by it, where ZooKeeper is not asked
     * @param more settings over those that all clusters have
     */
    void configure(ClusterOptions options, JobManager first, Map<String, String> more) {
        Map<String, String> settings = new TreeMap<>(Map.ofEntries(
                Map.entry("jobmanager.rpc.address", "127.0.0.1"),
                Map.entry("jobmanager.rpc.port", String.valueOf(first.rpcPort())),
                Map.entry("jobmanager.bind-host", "127.0.0.1"),
                Map.entry("rest.address", "127.0.0.1"),
                Map.entry("rest.bind-address", "127.0.0.1"),
                Map.entry("rest.port", String.valueOf(first.restPort())),
                Map.entry("taskmanager.host", "127.0.0.1"),
                Map.entry("taskmanager.bind-host", "127.0.0.1"),
                Map.entry("taskmanager.numberOfTaskSlots", String.valueOf(options.slots())),
                Map.entry("taskmanager.memory.process.size", "1g"),
                Map.entry("taskmanager.load-balance.mode", "SLOTS"),
                Map.entry("io.tmp.dirs", tmp().toString()),
                // A kill is noticed within seconds, and the job is back soon after.
                Map.entry("heartbeat.interval", "1000"),
                Map.entry("heartbeat.timeout", "5000"),
                // What REST answers is as old as this.
                Map.entry("web.refresh-interval", "100"),
                Map.entry("restart-strategy.type", "fixed-delay"),
                Map.entry("restart-strategy.fixed-delay.attempts", String.valueOf(Integer.MAX_VALUE)),
                Map.entry("restart-strategy.fixed-delay.delay", "500 ms"),
                Map.entry("execution.checkpointing.storage", "filesystem"),
                Map.entry(CHECKPOINTS, checkpoints().toUri().toString()),
                Map.entry(
                        "execution.checkpointing.savepoint-dir",
                        savepoints().toUri().toString()),
                Map.entry("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION")));
        settings.putAll(more);
        String yaml = settings.entrySet().stream()
                .map(setting -> setting.getKey() + ": '" + setting.getValue().replace("'", "''") + "'\n")
                .collect(Collectors.joining());
        try {
            Files.writeString(conf().resolve("config.yaml"), yaml);
            Files.writeString(conf().resolve("log4j.properties"), LOGGING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot configure a cluster in " + root, e);
        }
    }

    void delete() {
        delete(root);
    }

    private static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new ClusterException("cannot delete " + folder + ": " + e.getMessage(), e);
        }
    }
}
