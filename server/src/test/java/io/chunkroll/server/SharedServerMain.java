package io.chunkroll.server;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** A process that joins the user's shared server, says so, and leaves when its input ends. Arguments: settings as NAME=VALUE. */
final class SharedServerMain {
    private SharedServerMain() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, String> settings = new TreeMap<>();
        for (String argument : arguments) {
            String[] pair = argument.split("=", 2);
            settings.put(pair[0], pair[1]);
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (PostgresServer server =
                PostgresServer.joinShared(settings, line -> System.out.println("progress " + line))) {
            System.out.println("joined " + server.postmasterPid().orElseThrow() + " " + server.port());
            input.readLine();
        } catch (ServerUnavailableException e) {
            System.out.println("refused " + e.getMessage());
        }
    }
}
