package io.chunkroll.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Gets packages with the host's own apt, without touching the host: lists, cache, sources and preferences are files in one folder of
 * ours. Where the packages come from is read from the host's own source files.
 */
final class AptDownload {
    static final String SUITE = "trixie";

    private static final Path HOST_APT = Path.of("/etc/apt");
    private static final Duration LIMIT = Duration.ofMinutes(5);
    /** A line of {@code --print-uris}: 'URI' NAME_VERSION_ARCHITECTURE.deb SIZE CHECKSUM. */
    private static final Pattern URI_LINE = Pattern.compile("^'[^']+' (([^_]+)_\\S+\\.deb) \\d+.*");

    private final Path folder;
    private final Path log;
    private final boolean root;

    AptDownload(Path folder, Path log, boolean root) {
        this.folder = folder;
        this.log = log;
        this.root = root;
    }

    /** Where the packages lie that the given ones need, themselves included, less those that match; throws with apt's last word where they cannot be had. */
    List<Path> download(List<String> packages, Pattern notNeeded, Consumer<String> progress) throws IOException {
        List<AptSource> host = hostSources(HOST_APT);
        AptSource main = AptSource.mainArchive(host, SUITE)
                .orElseThrow(() -> new ServerUnavailableException(
                        "no entry for Debian's main archive in " + HOST_APT + "/sources.list and sources.list.d"));
        Optional<AptSource> security = AptSource.securityArchive(host, SUITE + "-security");
        String architecture = Command.of("dpkg", "--print-architecture")
                .run(LIMIT)
                .orThrow("dpkg --print-architecture")
                .lastLine();
        Files.createDirectories(folder.resolve("lists/partial"));
        Files.createDirectories(folder.resolve("cache/archives/partial"));
        Files.createDirectories(folder.resolve("state"));
        Files.writeString(folder.resolve("apt.conf"), configuration());
        progress.accept("reading Debian's list of packages (" + SUITE + ")");
        update(main, security, architecture);
        List<String> needed = needed(packages, notNeeded);
        progress.accept("downloading " + needed.size() + " packages");
        Path debs = Files.createDirectories(folder.resolve("debs"));
        List<String> words = new ArrayList<>(List.of("-q", "download"));
        words.addAll(needed);
        apt(debs, words).orThrow("apt-get download");
        try (Stream<Path> files = Files.list(debs)) {
            return files.sorted().toList();
        }
    }

    /** Security updates are worth having, but a mirror without them is no reason to stop. */
    private void update(AptSource main, Optional<AptSource> security, String architecture) throws IOException {
        Path sources = folder.resolve("debian.sources");
        if (security.isPresent()) {
            Files.writeString(
                    sources,
                    main.toParagraph(architecture) + "\n" + security.get().toParagraph(architecture));
            if (apt(folder, List.of("-q", "update")).succeeded()) {
                return;
            }
        }
        Files.writeString(sources, main.toParagraph(architecture));
        Command.Outcome outcome = apt(folder, List.of("-q", "update"));
        if (!outcome.succeeded()) {
            throw new ServerUnavailableException("apt-get update: " + lastError(outcome));
        }
    }

    private List<String> needed(List<String> packages, Pattern notNeeded) {
        List<String> words = new ArrayList<>(List.of("-qq", "--print-uris", "install"));
        words.addAll(packages);
        Command.Outcome outcome = apt(folder, words);
        if (!outcome.succeeded()) {
            throw new ServerUnavailableException("apt-get install " + packages + ": " + lastError(outcome));
        }
        return neededNames(outcome.output(), notNeeded);
    }

    static List<String> neededNames(String uris, Pattern notNeeded) {
        return uris.lines()
                .map(URI_LINE::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(2))
                .filter(name -> !notNeeded.matcher(name).matches())
                .toList();
    }

    static String lastError(Command.Outcome outcome) {
        return outcome.output()
                .lines()
                .filter(line -> line.startsWith("E:") || line.startsWith("Err:"))
                .reduce((first, second) -> second)
                .orElseGet(outcome::lastLine);
    }

    static List<AptSource> hostSources(Path etc) throws IOException {
        List<Path> files = new ArrayList<>(List.of(etc.resolve("sources.list")));
        if (Files.isDirectory(etc.resolve("sources.list.d"))) {
            try (Stream<Path> parts = Files.list(etc.resolve("sources.list.d"))) {
                files.addAll(parts.sorted().toList());
            }
        }
        List<AptSource> sources = new ArrayList<>();
        for (Path file : files) {
            if (Files.isReadable(file) && file.toString().endsWith(".list")) {
                sources.addAll(AptSource.ofList(Files.readString(file)));
            } else if (Files.isReadable(file) && file.toString().endsWith(".sources")) {
                sources.addAll(AptSource.ofSources(Files.readString(file)));
            }
        }
        return sources;
    }

    /**
     * Read after the host's own configuration, of which only the proxy and the like should stay: hooks that clean the host's caches,
     * a default release and pinned versions are switched off.
     */
    private String configuration() {
        return String.join(
                "\n",
                "#clear APT::Update::Pre-Invoke;",
                "#clear APT::Update::Post-Invoke;",
                "#clear APT::Update::Post-Invoke-Success;",
                "#clear APT::Default-Release;",
                "Dir::Etc::sourcelist \"" + folder.resolve("debian.sources") + "\";",
                "Dir::Etc::sourceparts \"/dev/null\";",
                "Dir::Etc::preferences \"/dev/null\";",
                "Dir::Etc::preferencesparts \"/dev/null\";",
                "Dir::State \"" + folder.resolve("state") + "\";",
                "Dir::State::lists \"" + folder.resolve("lists") + "\";",
                "Dir::State::status \"/dev/null\";",
                "Dir::Cache \"" + folder.resolve("cache") + "\";",
                "Dir::Cache::archives \"archives\";",
                "Dir::Cache::pkgcache \"pkgcache.bin\";",
                "Dir::Cache::srcpkgcache \"\";",
                "APT::Install-Recommends \"false\";",
                "Acquire::Languages \"none\";",
                "Acquire::Retries \"2\";",
                "Acquire::http::Timeout \"20\";",
                // apt's own unprivileged user could not enter our folder.
                root ? "APT::Sandbox::User \"root\";" : "",
                "");
    }

    private Command.Outcome apt(Path in, List<String> words) {
        List<String> all = new ArrayList<>(
                List.of("apt-get", "-c", folder.resolve("apt.conf").toString()));
        all.addAll(words);
        Command.Outcome outcome =
                Command.of(all).in(in).env("DEBIAN_FRONTEND", "noninteractive").run(LIMIT);
        append(log, "$ " + String.join(" ", all) + "\n" + outcome.output() + "exit " + outcome.exit() + "\n");
        return outcome;
    }

    static void append(Path log, String text) {
        try {
            Files.writeString(log, text, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + log, e);
        }
    }
}
