package io.chunkroll.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Processes as /proc shows them. A process that ended but has not been reaped yet (a zombie) counts as gone. */
final class ProcessTree {
    private static final Path PROC = Path.of("/proc");

    private ProcessTree() {}

    /** One line of /proc/PID/stat. Times are in clock ticks; those of ended children are included in {@code childTicks} once reaped. */
    record Stat(long pid, char state, long parent, long startTicks, long ownTicks, long childTicks) {
        /** The name in the second field may hold spaces and brackets: the fields are counted from the last bracket. */
        static Stat parse(String line) {
            String[] fields = line.substring(line.lastIndexOf(')') + 2).strip().split(" ");
            return new Stat(
                    Long.parseLong(line.substring(0, line.indexOf(' '))),
                    fields[0].charAt(0),
                    Long.parseLong(fields[1]),
                    Long.parseLong(fields[19]),
                    Long.parseLong(fields[11]) + Long.parseLong(fields[12]),
                    Long.parseLong(fields[13]) + Long.parseLong(fields[14]));
        }

        static Optional<Stat> of(long pid) {
            try {
                byte[] bytes = Files.readAllBytes(PROC.resolve(pid + "/stat"));
                return Optional.of(parse(new String(bytes, StandardCharsets.ISO_8859_1)));
            } catch (IOException e) {
                return Optional.empty();
            }
        }
    }

    static boolean isAlive(long pid) {
        return Stat.of(pid)
                .filter(stat -> stat.state() != 'Z' && stat.state() != 'X')
                .isPresent();
    }

    /** The process and all its descendants, itself first; empty when it is gone. */
    static List<Stat> of(long root) {
        List<Stat> found = new ArrayList<>();
        Stat.of(root).ifPresent(found::add);
        if (found.isEmpty()) {
            return found;
        }
        Map<Long, List<Stat>> children = all().collect(Collectors.groupingBy(Stat::parent));
        for (int i = 0; i < found.size(); i++) {
            found.addAll(children.getOrDefault(found.get(i).pid(), List.of()));
        }
        return found;
    }

    private static Stream<Stat> all() {
        try (Stream<Path> entries = Files.list(PROC)) {
            return entries
                    .map(path -> path.getFileName().toString())
                    .filter(name -> Character.isDigit(name.charAt(0)))
                    .map(name -> Stat.of(Long.parseLong(name)))
                    .flatMap(Optional::stream)
                    .toList()
                    .stream();
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    /** Where the process works, if it lives and we may know. */
    static Optional<Path> workingFolder(long pid) {
        try {
            return isAlive(pid) ? Optional.of(Files.readSymbolicLink(PROC.resolve(pid + "/cwd"))) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Sends a signal (STOP, CONT, INT, QUIT, KILL) to those that are still there. */
    static void signal(String name, Collection<Long> pids) {
        if (!pids.isEmpty()) {
            String all = pids.stream().map(String::valueOf).collect(Collectors.joining(" "));
            Command.of("sh", "-c", "for p in " + all + "; do kill -" + name + " $p; done")
                    .run(Duration.ofSeconds(10));
        }
    }

    /** Stops the process first, so that it makes no more children while they are counted. */
    static void stopAll(long root) {
        signal("STOP", List.of(root));
        signal("STOP", pids(root));
    }

    static void continueAll(long root) {
        signal("CONT", pids(root));
    }

    static void killAll(long root) {
        signal("STOP", List.of(root));
        List<Long> pids = pids(root);
        signal("KILL", pids);
        awaitEnd(pids, Duration.ofSeconds(30));
    }

    static List<Long> pids(long root) {
        return of(root).stream().map(Stat::pid).toList();
    }

    /** Whether all of them ended within the limit. */
    static boolean awaitEnd(Collection<Long> pids, Duration limit) {
        Instant end = Instant.now().plus(limit);
        while (pids.stream().anyMatch(ProcessTree::isAlive)) {
            if (Instant.now().isAfter(end)) {
                return false;
            }
            Pause.millis(20);
        }
        return true;
    }
}
