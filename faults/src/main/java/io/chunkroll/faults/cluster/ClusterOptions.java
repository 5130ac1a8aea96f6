package io.chunkroll.faults.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a cluster is made of.
 *
 * @param lib the folder with Flink's jars and a logger
 * @param jobManagers how many there are; of several one leads, and what it must not lose lies in a store, found by way of ZooKeeper
 * @param taskManagers how many there are at the start
 * @param slots of each TaskManager
 * @param application what the JobManager runs from the start and ends with, as words of Flink's application mode; empty for a session
 * @param settings Flink settings by their own names, over those of {@link ClusterFolder}
 */
public record ClusterOptions(
        Path lib,
        int jobManagers,
        int taskManagers,
        int slots,
        List<String> application,
        Map<String, String> settings) {
    /** One JobManager, to which jobs are submitted. */
    public static ClusterOptions session(Path lib, int taskManagers, int slots) {
        return new ClusterOptions(lib, 1, taskManagers, slots, List.of(), Map.of());
    }

    /** Two TaskManagers, each of which could run the whole of a small job alone. */
    public static ClusterOptions small(Path lib) {
        return session(lib, 2, 4);
    }

    /** The same with this setting. */
    public ClusterOptions with(String name, String value) {
        Map<String, String> more = new TreeMap<>(settings);
        more.put(name, value);
        return new ClusterOptions(lib, jobManagers, taskManagers, slots, application, more);
    }

    /** The same with so many JobManagers. */
    public ClusterOptions withJobManagers(int count) {
        return new ClusterOptions(lib, count, taskManagers, slots, application, settings);
    }

    /** The same in application mode: the JobManager runs the jar's class with these arguments. */
    public ClusterOptions running(Path jar, String mainClass, List<String> arguments) {
        // Flink would take an argument --config for its own --configDir, if it looked further than the two dashes.
        List<String> words = new ArrayList<>(List.of(
                "--jars", jar.toAbsolutePath().normalize().toUri().toString(), "--job-classname", mainClass, "--"));
        words.addAll(arguments);
        return new ClusterOptions(lib, jobManagers, taskManagers, slots, List.copyOf(words), settings);
    }

    boolean isHighlyAvailable() {
        return jobManagers > 1;
    }
}
