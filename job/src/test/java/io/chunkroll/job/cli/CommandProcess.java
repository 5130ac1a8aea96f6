package io.chunkroll.job.cli;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command line as a process of its own, of the packaged jar: for signals, and where the environment matters. */
final class CommandProcess implements AutoCloseable {
    /** Of the launcher: the job jar, and what Flink's distribution has in its lib folder. */
    private static final String CLASS_PATH = Path.of("target", "chunkroll-job.jar")
                    .toAbsolutePath() + ":" + Path.of("target", "flink-lib").toAbsolutePath() + "/*";

    private final Process process;
    private final Path output;

    private CommandProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** Starts it; what it says goes to a file in the folder. */
    static CommandProcess start(Path folder, Map<String, String> environment, List<String> words) throws IOException {
        return start(folder, environment, List.of(), words);
    }

    /** Likewise, with more words for the JVM. */
    static CommandProcess start(Path folder, Map<String, String> environment, List<String> jvm, List<String> words)
            throws IOException {
        // What a shell starts in the background ignores Control-C, and so would all that is started from there.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.addAll(words(jvm, words));
        Path output = Files.createTempFile(folder, "output", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.redirectInput(new File("/dev/null"));
        builder.environment().putAll(environment);
        return new CommandProcess(builder.start(), output);
    }

    /** What starts it, word by word. */
    static List<String> words(List<String> jvm, List<String> ofCommand) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-"))
                .forEach(words::add);
        // What starts and ends a short run soonest.
        words.addAll(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", CLASS_PATH));
        words.addAll(jvm);
        words.add(Main.class.getName());
        words.addAll(ofCommand);
        return words;
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    int waitFor() throws InterruptedException, IOException {
        if (!process.waitFor(3, TimeUnit.MINUTES)) {
            throw new AssertionError("The command does not end. It said: " + output());
        }
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String output() throws IOException {
        return Files.readString(output);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
