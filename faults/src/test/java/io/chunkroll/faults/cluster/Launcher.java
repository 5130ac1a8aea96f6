package io.chunkroll.faults.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command of chunkroll's own, as a process, as its launcher starts it. */
final class Launcher implements AutoCloseable {
    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final Path JOB = HOME.resolve("job/target");

    private final Process process;
    private final Path output;

    private Launcher(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    static Path jar() {
        return JOB.resolve("chunkroll-job.jar");
    }

    /** Starts it; what it says goes to a file in the folder. */
    static Launcher start(Path folder, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Dchunkroll.home=" + HOME,
                "-cp",
                jar() + File.pathSeparator + JOB.resolve("flink-lib") + "/*",
                "io.chunkroll.job.cli.Main"));
        command.addAll(words);
        Path output = Files.createTempFile(folder, "output", ".txt");
        return new Launcher(
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectInput(new File("/dev/null"))
                        .redirectOutput(output.toFile())
                        .start(),
                output);
    }

    /** Runs it to its end and returns what it said. */
    static String run(Path folder, List<String> words) throws IOException, InterruptedException {
        try (Launcher launcher = start(folder, words)) {
            int exit = launcher.waitFor();
            if (exit != 0) {
                throw new AssertionError(words + " ended with " + exit + ": " + launcher.output());
            }
            return launcher.output();
        }
    }

    int waitFor() throws InterruptedException, IOException {
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            throw new AssertionError("The command does not end. It said: " + output());
        }
        return process.exitValue();
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
