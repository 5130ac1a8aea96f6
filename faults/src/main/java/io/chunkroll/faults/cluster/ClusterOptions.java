package io.chunkroll.faults.cluster;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a cluster is made of.
 *
 * @param lib the folder with Flink's jars and a logger
 * @param taskManagers how many there are at the start
 * @param slots of each TaskManager
 * @param settings Flink settings by their own names, over those of {@link ClusterFolder}
 */
public record ClusterOptions(Path lib, int taskManagers, int slots, Map<String, String> settings) {
    /** Two TaskManagers, each of which could run the whole of a small job alone. */
    public static ClusterOptions small(Path lib) {
        return new ClusterOptions(lib, 2, 4, Map.of());
    }

    /** The same with this setting. */
    public ClusterOptions with(String name, String value) {
        Map<String, String> more = new TreeMap<>(settings);
        more.put(name, value);
        return new ClusterOptions(lib, taskManagers, slots, more);
    }
}
