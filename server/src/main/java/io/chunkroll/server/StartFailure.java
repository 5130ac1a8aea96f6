package io.chunkroll.server;

import java.util.List;
import java.util.function.Predicate;
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
        List<String> named = texts(settings, said::contains);
        if (!named.isEmpty()) {
            return "; correct the setting " + String.join(" and ", named);
        }
        List<String> all = texts(settings, name -> true);
        return all.isEmpty() ? "" : " with the settings given (" + String.join(", ", all) + ")";
    }

    private static List<String> texts(ServerSettings settings, Predicate<String> chosen) {
        return settings.given().entrySet().stream()
                .filter(entry -> chosen.test(entry.getKey()))
                .map(entry -> "server." + entry.getKey() + " = " + entry.getValue())
                .toList();
    }
}
