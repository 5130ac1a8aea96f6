package io.chunkroll.server;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** PostgreSQL settings of one server: those of ours, and over them those given by the user, sorted by name. */
record ServerSettings(Map<String, String> base, Map<String, String> given) {
    private static final Pattern NAME = Pattern.compile("[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)?");
    private static final Map<String, String> BASE = Map.ofEntries(
            Map.entry("shared_preload_libraries", "timescaledb"),
            Map.entry("timescaledb.telemetry_level", "off"),
            Map.entry("jit", "off"),
            Map.entry("max_connections", "100"),
            Map.entry("max_prepared_transactions", "64"),
            Map.entry("timezone", "UTC"),
            Map.entry("log_timezone", "UTC"),
            Map.entry("lc_messages", "C"),
            Map.entry("shared_buffers", "256MB"));
    /** What we need to find the server and its log again. */
    private static final Set<String> OURS = Set.of(
            "port",
            "listen_addresses",
            "unix_socket_directories",
            "data_directory",
            "config_file",
            "hba_file",
            "ident_file",
            "external_pid_file",
            "logging_collector",
            "log_destination");

    static ServerSettings of(Map<String, String> given) {
        return new ServerSettings(new TreeMap<>(BASE), checked(given));
    }

    /** A throw-away server has little data, and many of them run at once. */
    static ServerSettings ofPrivate(Map<String, String> given) {
        Map<String, String> base = new TreeMap<>(BASE);
        base.put("shared_buffers", "64MB");
        return new ServerSettings(base, checked(given));
    }

    private static Map<String, String> checked(Map<String, String> given) {
        List<String> faults = faultsOf(given);
        if (!faults.isEmpty()) {
            throw new ServerUnavailableException(String.join("; ", faults));
        }
        Map<String, String> checked = new TreeMap<>();
        given.forEach((name, value) -> checked.put(key(name), value.strip()));
        return checked;
    }

    static List<String> faultsOf(Map<String, String> given) {
        List<String> faults = new ArrayList<>();
        new TreeSet<>(given.keySet()).forEach(name -> {
            if (!NAME.matcher(key(name)).matches()) {
                faults.add("server." + name + " is no name of a PostgreSQL setting");
            } else if (OURS.contains(key(name))) {
                faults.add("server." + name + " is chosen by chunkroll; give sink.url to use a server of your own");
            }
        });
        return faults;
    }

    private static String key(String name) {
        return name.strip().toLowerCase(Locale.ROOT);
    }

    Map<String, String> effective() {
        Map<String, String> all = new TreeMap<>(base);
        all.putAll(given);
        return all;
    }

    /** One text per setting that differs, such as {@code shared_buffers is 1GB, asked for: 32MB}. */
    List<String> differencesTo(ServerSettings asked) {
        Map<String, String> ours = effective();
        Map<String, String> theirs = asked.effective();
        Set<String> names = new TreeSet<>(ours.keySet());
        names.addAll(theirs.keySet());
        return names.stream()
                .filter(name -> !value(ours, name).equalsIgnoreCase(value(theirs, name)))
                .map(name -> name + " is " + value(ours, name) + ", asked for: " + value(theirs, name))
                .toList();
    }

    private static String value(Map<String, String> settings, String name) {
        return settings.getOrDefault(name, "the default");
    }

    /**
     * Given settings that the running server does not have. Those without a dot in the name keep it from starting; any name with a dot is
     * accepted silently.
     */
    List<String> unknownTo(Endpoint server) {
        List<String> dotted =
                given.keySet().stream().filter(name -> name.contains(".")).toList();
        try {
            List<String> unknown = new ArrayList<>();
            for (String name : dotted) {
                if (server.one("SELECT count(*) FROM pg_settings WHERE lower(name) = '" + name + "'")
                        .equals("0")) {
                    unknown.add("server." + name);
                }
            }
            return unknown;
        } catch (SQLException e) {
            throw new ServerUnavailableException("the server started but does not answer: " + e.getMessage(), e);
        }
    }

    /** As a file that PostgreSQL reads. */
    String toFile(int port) {
        StringBuilder text = new StringBuilder("# Written by chunkroll at every start.\n");
        line(text, "listen_addresses", "127.0.0.1");
        line(text, "port", String.valueOf(port));
        line(text, "unix_socket_directories", "");
        effective().forEach((name, value) -> line(text, name, value));
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(name).append(" = '").append(quoted(value)).append("'\n");
    }

    private static String quoted(String value) {
        return value.replace("\\", "\\\\")
                .replace("'", "''")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }
}
