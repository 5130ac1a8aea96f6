package io.chunkroll.server;

import java.util.List;
import java.util.regex.Pattern;

/** Makes an error that can be acted on from what PostgreSQL wrote when it did not start. */
final class StartFailure {
    private static final Pattern TELLING = Pattern.compile(
            ".*(FATAL|PANIC|ERROR|HINT|DETAIL|could not|invalid|unrecognized|outside the valid range).*");
    private static final Pattern STAMP = Pattern.compile("^\\d{4}-\\d\\d-\\d\\d [0-9:.]+ \\S+ \\[\\d+\\] ");

    private StartFailure() {}

    static RuntimeException of(int port, ServerSettings settings, String said) {
        if (said.contains("could not bind IPv4 address") || said.contains("Address already in use")) {
            return new FreePort.TakenException(port);
        }
        List<String> telling = said.lines()
                .filter(line -> TELLING.matcher(line).matches())
                .map(line -> STAMP.matcher(line).replaceFirst(""))
                .toList();
        return new ServerUnavailableException("PostgreSQL did not start" + blamed(settings, said) + ". It says: "
                + (telling.isEmpty() ? said.strip() : String.join(" ", telling)));
    }

    private static String blamed(ServerSettings settings, String said) {
        List<String> named = settings.given().keySet().stream()
                .filter(name -> said.contains(name))
                .map(name -> "server." + name + " = " + settings.given().get(name))
                .toList();
        if (!named.isEmpty()) {
            return "; correct the setting " + String.join(" and ", named);
        }
        return settings.given().isEmpty() ? "" : " with the settings given (server.*: " + settings.given() + ")";
    }
}
