package io.chunkroll.job.cli;

import io.chunkroll.server.SharedServer;
import io.chunkroll.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A cache folder of a test's own, for an embedded server of its own, which borrows the installed programs. */
record BorrowedCache(Path folder, Path cache) {

    /** What a command said and how it ended. */
    record Said(int exit, String text) {}

    static BorrowedCache in(Path folder) throws IOException {
        TestDatabase.create().close();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path cache = Files.createDirectory(folder.resolve("cache"));
        Path ofUser = installedCache();
        for (String borrowed : List.of("programs", "templates")) {
            Files.createSymbolicLink(cache.resolve(borrowed), ofUser.resolve(borrowed));
        }
        return new BorrowedCache(folder, cache);
    }

    private static Path installedCache() {
        return Stream.iterate(SharedServer.ofUser().status().dataFolder(), Path::getParent)
                .filter(candidate -> Files.isDirectory(candidate.resolve("programs")))
                .findFirst()
                .orElseThrow();
    }

    /** Starts a command that uses it. */
    CommandProcess start(List<String> words) throws IOException {
        return CommandProcess.start(folder, Map.of("CHUNKROLL_CACHE", cache.toString()), words);
    }

    Said command(List<String> words) throws IOException, InterruptedException {
        try (CommandProcess process = start(words)) {
            return new Said(process.waitFor(), process.output());
        }
    }

    Said db(String... words) throws IOException, InterruptedException {
        return command(Stream.concat(Stream.of("db"), Stream.of(words)).toList());
    }
}
