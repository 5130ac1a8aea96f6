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
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Programs of Debian's in a folder of the cache, made there from the packages. The host is not changed, and needs not be root's.
 *
 * <p>The packages are of Debian 13. Older hosts have an older C library, so the packages bring theirs, and {@code patchelf} writes its
 * place into each program. {@code patchelf} comes the same way and runs with the unpacked library.
 */
public final class DebianPrograms {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String PATCHELF = "patchelf";

    private final CacheFolder cache;
    private final Recipe recipe;

    /**
     * What is made of which packages.
     *
     * @param name the folder's; a folder made by another recipe must never be mistaken for this one's
     * @param title what people call it
     * @param megabytes about how much is downloaded
     * @param packages those that are wanted; what they depend on comes too, except what is not needed
     * @param notNeeded names of packages that are left out although others depend on them
     * @param dropped folders that are deleted when all is unpacked
     * @param programs programs, or folders of them, that are to find the unpacked libraries; they must be there in the end
     */
    public record Recipe(
            String name,
            String title,
            int megabytes,
            List<String> packages,
            Pattern notNeeded,
            List<String> dropped,
            List<String> programs) {}

    DebianPrograms(CacheFolder cache, Recipe recipe) {
        this.cache = cache;
        this.recipe = recipe;
    }

    /** In the user's cache folder. */
    public static DebianPrograms ofUser(Recipe recipe) {
        return new DebianPrograms(CacheFolder.ofUser(), recipe);
    }

    /** The folder that holds {@code usr}, if it has been made. */
    public Optional<Path> find() {
        return Optional.of(home())
                .filter(home -> recipe.programs().stream().allMatch(program -> Files.exists(home.resolve(program))));
    }

    Path home() {
        return cache.programs().resolve(recipe.name());
    }

    /** Where the libraries of a folder that was made lie, such as {@code usr/lib/x86_64-linux-gnu}. */
    public static Path libraries(Path home) {
        try {
            return loader(home).getParent();
        } catch (IOException e) {
            throw new ServerUnavailableException(e.getMessage(), e);
        }
    }

    /**
     * The folder that holds {@code usr}, made if it is not there yet. Processes that do so at once wait for the first.
     *
     * @throws ServerUnavailableException if apt or the packages cannot be had
     */
    public Path findOrMake(Consumer<String> progress) {
        if (find().isPresent()) {
            return find().get();
        }
        try (FileMutex mutex = lock(progress)) {
            return findOrMakeLocked(progress);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** For whoever has more to make along with the programs: one installation at a time, on the whole machine. */
    FileMutex lock(Consumer<String> progress) {
        CacheFolder.makeOpen(cache.root());
        return FileMutex.acquire(
                cache.root().resolve("install.lock"),
                () -> progress.accept(
                        "another process is installing programs; waiting for it, to have " + recipe.title()));
    }

    ServerUnavailableException failed(IOException e) {
        return new ServerUnavailableException(
                "cannot install " + recipe.title() + " into " + home() + ": " + e + "; log: " + cache.installLog(), e);
    }

    /** With {@link #lock} in hand. */
    Path findOrMakeLocked(Consumer<String> progress) throws IOException {
        if (find().isEmpty()) {
            make(progress);
        }
        return home();
    }

    private void make(Consumer<String> progress) throws IOException {
        Instant start = Instant.now();
        progress.accept("installing " + recipe.title() + " into " + home() + " (once; about " + recipe.megabytes()
                + " MB to download)");
        CacheFolder.makeOpen(cache.programs());
        deleteLeftOvers();
        Files.deleteIfExists(cache.installLog());
        Path work = CacheFolder.makeOpen(
                cache.programs().resolve("making-" + ProcessHandle.current().pid()));
        try {
            List<Path> debs = new AptDownload(
                            CacheFolder.makeOpen(work.resolve("apt")),
                            cache.installLog(),
                            ServerAccount.current() == ServerAccount.NOBODY)
                    .download(
                            Stream.concat(recipe.packages().stream(), Stream.of(PATCHELF))
                                    .toList(),
                            recipe.notNeeded(),
                            progress);
            progress.accept("unpacking");
            Path tree = CacheFolder.makeOpen(work.resolve("tree"));
            unpack(debs, tree);
            patch(tree);
            Folders.delete(home());
            Files.move(tree, home(), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Folders.delete(work);
        }
        progress.accept("installed " + recipe.title() + " in "
                + Duration.between(start, Instant.now()).toSeconds() + " s");
    }

    /** What an interrupted attempt left; nobody else works here while we hold the lock. */
    private void deleteLeftOvers() throws IOException {
        try (DirectoryStream<Path> old = Files.newDirectoryStream(cache.programs(), "making-*")) {
            for (Path path : old) {
                Folders.delete(path);
            }
        }
    }

    private void unpack(List<Path> debs, Path tree) throws IOException {
        for (Path deb : debs) {
            Command.of("dpkg", "-x", deb.toString(), tree.toString())
                    .run(LIMIT)
                    .orThrow("dpkg -x " + deb.getFileName());
        }
        for (String folder : recipe.dropped()) {
            Folders.delete(tree.resolve(folder));
        }
        List<String> packages = debs.stream()
                .map(deb -> deb.getFileName().toString().replaceFirst("\\.deb$", ""))
                .toList();
        Files.write(tree.resolve("packages"), packages);
    }

    /** The tree is moved afterwards, so the paths written are those it will have then. A program without libraries stays as it is. */
    private void patch(Path tree) throws IOException {
        List<Path> programs = programs(tree);
        if (programs.isEmpty()) {
            return;
        }
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
        programs.forEach(program -> words.add(program.toString()));
        Command.of(words).run(LIMIT).orThrow("patchelf");
    }

    private List<Path> programs(Path tree) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String name : recipe.programs()) {
            Path path = tree.resolve(name);
            if (Files.isDirectory(path)) {
                try (Stream<Path> files = Files.list(path)) {
                    files.filter(Elf::isDynamicProgram).forEach(found::add);
                }
            } else if (!Files.exists(path)) {
                throw new IOException("the packages " + recipe.packages() + " have no " + name);
            } else if (Elf.isDynamicProgram(path)) {
                found.add(path);
            }
        }
        return found;
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
}
