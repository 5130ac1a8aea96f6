package io.chunkroll.server;

import java.nio.file.Files;
import java.nio.file.Path;

/** PostgreSQL's programs, unpacked in a folder of ours. They bring the C library that they were built for. */
record Programs(Path root) {
    Path program(String name) {
        return root.resolve("usr/lib/postgresql/17/bin").resolve(name);
    }

    boolean complete() {
        return Files.isExecutable(program("postgres")) && Files.isExecutable(program("psql"));
    }
}
