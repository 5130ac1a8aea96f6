package io.chunkroll.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs one program to its end and keeps what it printed. Its environment has none of PostgreSQL's PG* variables in it. */
final class Command {
    private static final Path NOWHERE = Path.of("/dev/null");

    private final ProcessBuilder builder;
    private Path input = NOWHERE;

    private Command(List<String> words) {
        builder = new ProcessBuilder(words).directory(Path.of("/").toFile()).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("PG"));
        environment.put("LC_ALL", "C");
    }

    static Command of(List<String> words) {
        return new Command(words);
    }

    static Command of(String... words) {
        return new Command(List.of(words));
    }

    Command in(Path folder) {
        builder.directory(folder.toFile());
        return this;
    }

    Command input(Path file) {
        input = file;
        return this;
    }

    Command env(String name, String value) {
        builder.environment().put(name, value);
        return this;
    }

    /**
     * The output goes through a file, not a pipe: a program that leaves a daemon behind never keeps us waiting for the pipe's end.
     * A program that is not there counts as one that failed, with exit code 127 as in a shell.
     */
    Outcome run(Duration limit) {
        Path output = null;
        try {
            output = Files.createTempFile("chunkroll-", ".out");
            Process process = builder.redirectInput(input.toFile())
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
            return ended
                    ? new Outcome(process.exitValue(), text)
                    : new Outcome(124, text + "\nstopped: it took longer than " + limit.toSeconds() + " s");
        } catch (IOException e) {
            return new Outcome(127, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerUnavailableException(
                    "interrupted while running " + builder.command().get(0), e);
        } finally {
            delete(output);
        }
    }

    private static void delete(Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How a program ended: its exit code, and all it printed to standard output and error. */
    record Outcome(int exit, String output) {
        boolean succeeded() {
            return exit == 0;
        }

        String lastLine() {
            String[] lines = output.strip().split("\n");
            return lines[lines.length - 1].strip();
        }

        Outcome orThrow(String what) {
            if (!succeeded()) {
                throw new ServerUnavailableException(what + " failed (exit " + exit + "): " + output.strip());
            }
            return this;
        }
    }
}
