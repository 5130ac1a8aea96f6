package io.chunkroll.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A process that joins the user's shared server, or with the argument {@code private} starts one of its own, says so, and leaves when its
 * input ends. Further arguments are settings as NAME=VALUE.
 */
final class ServerProcess {
    private ServerProcess() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, String> settings = new TreeMap<>();
        for (String argument : arguments) {
            if (!argument.equals("private")) {
                String[] pair = argument.split("=", 2);
                settings.put(pair[0], pair[1]);
            }
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (PostgresServer server = List.of(arguments).contains("private")
                ? PostgresServer.startPrivate(settings)
                : PostgresServer.joinShared(settings, line -> System.out.println("progress " + line))) {
            System.out.println("joined " + server.postmasterPid().orElse(0) + " " + server.port());
            input.readLine();
        } catch (ServerUnavailableException e) {
            System.out.println("refused " + e.getMessage());
        }
    }

    /** Starts such a process with the variables added to the environment. */
    static Process launch(Map<String, String> environment, String... settings) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                "-XX:TieredStopAtLevel=1",
                ServerProcess.class.getName()));
        words.addAll(List.of(settings));
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** The line in which it says that it joined, or why not. */
    static String answer(Process process) throws IOException {
        String line = process.inputReader().readLine();
        while (line != null && line.startsWith("progress ")) {
            line = process.inputReader().readLine();
        }
        return line;
    }
}
