package io.chunkroll.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Prometheus and promtool for tests: those on the PATH, else Debian's in the cache folder. */
public final class PrometheusPrograms {
    private static final DebianPrograms.Recipe RECIPE = new DebianPrograms.Recipe(
            "prometheus-1",
            "Prometheus",
            50,
            List.of("prometheus", "promtool"),
            // All but itself and what patchelf runs with: its web pages are not looked at.
            Pattern.compile("(?!(prometheus|promtool|patchelf|libc6|libgcc-s1|libstdc\\+\\+6)$).*"),
            List.of("usr/share", "var", "etc"),
            List.of("usr/bin/prometheus", "usr/bin/promtool"));

    private PrometheusPrograms() {}

    /** @throws ServerUnavailableException if there is none and none can be had, because this is no Debian or has no network */
    public static Path find(String program) {
        return onPath(program)
                .orElseGet(() -> DebianPrograms.ofUser(RECIPE)
                        .findOrMake(System.out::println)
                        .resolve("usr/bin")
                        .resolve(program));
    }

    private static Optional<Path> onPath(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
