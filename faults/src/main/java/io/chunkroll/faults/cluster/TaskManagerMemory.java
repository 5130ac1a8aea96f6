package io.chunkroll.faults.cluster;

import io.chunkroll.job.cluster.ClusterException;
import java.nio.file.Path;
import java.util.List;

/**
 * How the memory of a TaskManager is divided, which it wants to be told.
 *
 * @param jvm options of the JVM
 * @param flink words after the class
 */
record TaskManagerMemory(List<String> jvm, List<String> flink) {
    private static final String RESULT = "BASH_JAVA_UTILS_EXEC_RESULT:";

    /** Asks the same class as Flink's scripts. */
    static TaskManagerMemory compute(ClusterFolder folder, Path lib) {
        List<String> printed = JavaProcess.run(
                        folder,
                        lib,
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
        return new TaskManagerMemory(words(printed.get(0)), words(printed.get(1)));
    }

    private static List<String> words(String printed) {
        return List.of(printed.strip().split("\\s+"));
    }
}
