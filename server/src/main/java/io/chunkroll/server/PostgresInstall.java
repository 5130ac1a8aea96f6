package io.chunkroll.server;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Finds PostgreSQL 17 and TimescaleDB in the cache folder, or makes them there from Debian's packages. The host is not changed, and
 * needs not be root's.
 *
 * <p>The packages are of Debian 13, for which TimescaleDB is built. Older hosts have an older C library, so the packages bring theirs,
 * and {@code patchelf} writes its place into each program. {@code patchelf} comes the same way and runs with the unpacked library.
 */
final class PostgresInstall {
    /** Part of the folder's name: a folder made by another recipe is never mistaken for this one's. */
    private static final String VERSION = "pg17-1";

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final List<String> PACKAGES = List.of("postgresql-17-timescaledb", "patchelf");
    private static final List<String> DROPPED = List.of(
            "usr/share/doc",
            "usr/share/man",
            "usr/share/locale",
            "usr/share/lintian",
            "usr/share/bug",
            "usr/share/postgresql/17/man",
            "usr/lib/postgresql/17/lib/bitcode",
            "var",
            "etc");

    private final CacheFolder cache;
    private final ServerAccount account;

    PostgresInstall(CacheFolder cache, ServerAccount account) {
        this.cache = cache;
        this.account = account;
    }

    Optional<Programs> find() {
        return Optional.of(new Programs(home())).filter(Programs::complete);
    }

    private Path home() {
        return cache.programs().resolve(VERSION);
    }

    /** A cluster to copy new ones from; made together with the programs. */
    Path template() {
        return cache.templates().resolve(VERSION);
    }

    /**
     * Makes the programs, and the template, if they are not there yet. Processes that do so at once wait for the first.
     *
     * @throws ServerUnavailableException if apt or the packages cannot be had
     */
    Programs findOrMake(Consumer<String> progress) {
        if (find().isPresent() && Files.isDirectory(template())) {
            return find().get();
        }
        CacheFolder.makeOpen(cache.root());
        try (FileMutex mutex = FileMutex.acquire(
                cache.root().resolve("install.lock"),
                () -> progress.accept("another process is installing PostgreSQL; waiting for it"))) {
            Programs programs = find().isPresent() ? find().get() : make(progress);
            if (!Files.isDirectory(template())) {
                progress.accept("making an empty database cluster");
                ClusterTemplate.make(programs, account, template());
            }
            return programs;
        } catch (IOException e) {
            throw new ServerUnavailableException(
                    "cannot install PostgreSQL into " + home() + ": " + e + "; log: " + cache.installLog(), e);
        }
    }

    private Programs make(Consumer<String> progress) throws IOException {
        Instant start = Instant.now();
        progress.accept(
                "installing PostgreSQL 17 with TimescaleDB into " + home() + " (once; about 50 MB to download)");
        CacheFolder.makeOpen(cache.programs());
        deleteLeftOvers();
        Files.deleteIfExists(cache.installLog());
        Path work = CacheFolder.makeOpen(
                cache.programs().resolve("making-" + ProcessHandle.current().pid()));
        try {
            List<Path> debs = new AptDownload(
                            CacheFolder.makeOpen(work.resolve("apt")),
                            cache.installLog(),
                            account == ServerAccount.NOBODY)
                    .download(PACKAGES, progress);
            progress.accept("unpacking");
            Path tree = CacheFolder.makeOpen(work.resolve("tree"));
            unpack(debs, tree);
            patch(tree);
            Folders.delete(home());
            Files.move(tree, home(), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Folders.delete(work);
        }
        Programs programs = new Programs(home());
        String version = Command.of(programs.program("postgres").toString(), "--version")
                .run(LIMIT)
                .orThrow(programs.program("postgres") + " --version")
                .output()
                .strip();
        progress.accept("installed " + version + " in "
                + Duration.between(start, Instant.now()).toSeconds() + " s");
        return programs;
    }

    /** What an interrupted attempt left; nobody else works here while we hold the lock. */
    private void deleteLeftOvers() throws IOException {
        try (DirectoryStream<Path> old = Files.newDirectoryStream(cache.programs(), "making-*")) {
            for (Path path : old) {
                Folders.delete(path);
            }
        }
    }

    private static void unpack(List<Path> debs, Path tree) throws IOException {
        for (Path deb : debs) {
            Command.of("dpkg", "-x", deb.toString(), tree.toString())
                    .run(LIMIT)
                    .orThrow("dpkg -x " + deb.getFileName());
        }
        for (String folder : DROPPED) {
            Folders.delete(tree.resolve(folder));
        }
        List<String> packages = debs.stream()
                .map(deb -> deb.getFileName().toString().replaceFirst("\\.deb$", ""))
                .toList();
        Files.write(tree.resolve("packages"), packages);
    }

    /** The tree is moved afterwards, so the paths written are those it will have then. */
    private void patch(Path tree) throws IOException {
        Path loader = loader(tree);
        Path libraries = loader.getParent();
        List<String> words = new ArrayList<>(List.of(
                loader.toString(),
                "--library-path",
                libraries.toString(),
                tree.resolve("usr/bin/patchelf").toString(),
                "--set-interpreter",
                moved(tree, loader).toString(),
                "--force-rpath",
                "--set-rpath",
                moved(tree, libraries).toString()));
        try (Stream<Path> programs =
                Files.list(new Programs(tree).program("postgres").getParent())) {
            programs.filter(PostgresInstall::isElf).map(Path::toString).forEach(words::add);
        }
        Command.of(words).run(LIMIT).orThrow("patchelf");
    }

    private Path moved(Path tree, Path inTree) {
        return home().resolve(tree.relativize(inTree));
    }

    /** The loader's name tells the machine's kind: ld-linux-x86-64.so.2, ld-linux-aarch64.so.1. */
    private static Path loader(Path tree) throws IOException {
        try (Stream<Path> found = Files.find(
                tree.resolve("usr/lib"),
                2,
                (path, attributes) -> path.getFileName().toString().matches("ld-linux-.*\\.so\\.\\d"))) {
            return found.filter(
                            path -> path.getParent().getFileName().toString().endsWith("-linux-gnu"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no loader ld-linux-*.so.* below " + tree.resolve("usr/lib")));
        }
    }

    private static boolean isElf(Path file) {
        try (var in = Files.newInputStream(file)) {
            byte[] start = in.readNBytes(4);
            return start.length == 4 && start[0] == 0x7f && start[1] == 'E' && start[2] == 'L' && start[3] == 'F';
        } catch (IOException e) {
            return false;
        }
    }
}
