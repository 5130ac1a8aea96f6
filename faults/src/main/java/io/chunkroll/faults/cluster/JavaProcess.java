package io.chunkroll.faults.cluster;

import io.chunkroll.job.cluster.ClusterException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One of Flink's programs as a process of its own, with the class path and the configuration of a cluster. */
final class JavaProcess implements AutoCloseable {
    private static final long END_SECONDS = 30;
    private static final int LAST_LINES = 30;
    /** What Flink's own scripts pass to a Java 17. */
    private static final List<String> OPEN_PACKAGES = List.of(
            "java.lang",
            "java.net",
            "java.io",
            "java.nio",
            "sun.nio.ch",
            "java.lang.reflect",
            "java.text",
            "java.time",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "java.util.concurrent.locks");

    private final String name;
    private final Process process;
    private final Path log;

    private JavaProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /**
     * Starts it.
     *
     * @param name what its log files are called
     * @param jvm words before the class, such as {@code -Xmx512m}
     * @param program the class, then its own words
     */
    static JavaProcess start(String name, ClusterFolder folder, Path lib, List<String> jvm, List<String> program) {
        Path log = folder.logs().resolve(name + ".log");
        List<String> words = words(folder, lib, jvm, log);
        words.addAll(program);
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(folder.logs().resolve(name + ".out").toFile());
        try {
            return new JavaProcess(name, builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    /** Runs a program to its end and returns what it printed. */
    static List<String> run(ClusterFolder folder, Path lib, List<String> program) {
        List<String> words =
                words(folder, lib, List.of("-Xmx256m"), folder.logs().resolve("run.log"));
        words.addAll(program);
        try {
            ProcessBuilder builder = new ProcessBuilder(words)
                    .redirectError(folder.logs().resolve("run.err").toFile());
            builder.environment().put("FLINK_CONF_DIR", folder.conf().toString());
            Process process = builder.start();
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new ClusterException(String.join(" ", program) + " failed: " + printed);
            }
            return printed.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + program.get(0), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted", e);
        }
    }

    private static List<String> words(ClusterFolder folder, Path lib, List<String> jvm, Path log) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.add("--add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED");
        OPEN_PACKAGES.forEach(opened -> words.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED"));
        words.addAll(jvm);
        words.add("-Djava.io.tmpdir=" + folder.tmp());
        words.add("-Dlog.file=" + log);
        words.add("-Dlog4j.configurationFile="
                + folder.conf().resolve("log4j.properties").toUri());
        words.addAll(List.of("-cp", lib.toAbsolutePath() + "/*"));
        return words;
    }

    String name() {
        return name;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Its log up to now. */
    List<String> log() {
        try {
            return Files.exists(log) ? Files.readAllLines(log) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the log " + log, e);
        }
    }

    /** The last lines of its log, for messages. */
    String lastWords(int lines) {
        try {
            List<String> all = log();
            return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
        } catch (UncheckedIOException e) {
            return "(" + e.getMessage() + ": " + e.getCause() + ")";
        }
    }

    /** Waits till it has ended of itself and returns its exit code. */
    int awaitEnd(Duration patience) {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new ClusterException(name + " does not end within " + patience.toSeconds()
                        + " s. Its last words: " + lastWords(LAST_LINES));
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted", e);
        }
    }

    /** kill -9. Returns when it is gone. */
    void kill() {
        process.destroyForcibly();
        boolean interrupted = false;
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                throw new ClusterException(name + " (process " + process.pid() + ") does not die");
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
    }
}
