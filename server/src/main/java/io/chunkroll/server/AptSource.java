package io.chunkroll.server;

import static java.util.stream.Collectors.toCollection;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One place that the host gets its packages from, as told by a line of a {@code .list} file or a paragraph of a {@code .sources} file.
 * The options are those that decide whether its signature is accepted.
 */
record AptSource(List<String> uris, List<String> suites, List<String> components, Map<String, String> options) {
    private static final Pattern LINE = Pattern.compile("^deb\\s+(?:\\[([^\\]]*)\\]\\s+)?(\\S+)\\s+(\\S+)\\s*(.*)$");
    private static final Set<String> KEPT_OPTIONS = Set.of("signed-by", "trusted", "check-valid-until", "check-date");
    private static final Set<String> NO = Set.of("no", "false", "off", "0");

    /** Entries of a file in the one-line format. */
    static List<AptSource> ofList(String text) {
        List<AptSource> sources = new ArrayList<>();
        for (String line : text.lines().toList()) {
            Matcher matcher = LINE.matcher(line.replaceFirst("#.*", "").strip());
            if (matcher.matches()) {
                sources.add(new AptSource(
                        List.of(matcher.group(2)),
                        List.of(matcher.group(3)),
                        words(matcher.group(4)),
                        lineOptions(matcher.group(1))));
            }
        }
        return sources;
    }

    private static Map<String, String> lineOptions(String text) {
        Map<String, String> options = new LinkedHashMap<>();
        for (String option : words(text == null ? "" : text)) {
            String[] pair = option.split("=", 2);
            if (pair.length == 2 && KEPT_OPTIONS.contains(pair[0].toLowerCase(Locale.ROOT))) {
                options.put(pair[0].toLowerCase(Locale.ROOT), pair[1].replace(',', ' '));
            }
        }
        return options;
    }

    /** Entries of a file in the deb822 format: paragraphs of fields, where a field goes on in lines that begin with a space. */
    static List<AptSource> ofSources(String text) {
        List<AptSource> sources = new ArrayList<>();
        String uncommented = String.join(
                "\n", text.lines().filter(line -> !line.startsWith("#")).toList());
        for (String paragraph : uncommented.split("\n\\s*\n")) {
            Map<String, String> fields = fields(paragraph);
            if (words(fields.getOrDefault("types", "")).contains("deb")
                    && !NO.contains(fields.getOrDefault("enabled", "yes").toLowerCase(Locale.ROOT))) {
                Map<String, String> options = new LinkedHashMap<>(fields);
                options.keySet().retainAll(KEPT_OPTIONS);
                sources.add(new AptSource(
                        words(fields.getOrDefault("uris", "")),
                        words(fields.getOrDefault("suites", "")),
                        words(fields.getOrDefault("components", "")),
                        options));
            }
        }
        return sources;
    }

    private static Map<String, String> fields(String paragraph) {
        Map<String, String> fields = new LinkedHashMap<>();
        String current = "";
        for (String line : paragraph.lines().toList()) {
            int colon = line.indexOf(':');
            if (line.startsWith(" ") || line.startsWith("\t")) {
                fields.merge(current, "\n" + line, String::concat);
            } else if (colon > 0) {
                current = line.substring(0, colon).toLowerCase(Locale.ROOT);
                fields.put(current, line.substring(colon + 1).strip());
            }
        }
        return fields;
    }

    private static List<String> words(String text) {
        return Stream.of(text.strip().split("\\s+"))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /** The entry that serves Debian's main archive, for another suite. */
    static Optional<AptSource> mainArchive(Collection<AptSource> all, String suite) {
        Set<String> withUpdates = all.stream()
                .filter(source -> source.suites.stream().anyMatch(name -> name.endsWith("-updates")))
                .flatMap(source -> source.uris.stream())
                .collect(toCollection(LinkedHashSet::new));
        return all.stream()
                .filter(source -> source.components.contains("main") && !source.isSecurity())
                .filter(source -> source.isDebians() || source.uris.stream().anyMatch(withUpdates::contains))
                .findFirst()
                .map(source -> source.with(suite));
    }

    /** The entry that serves Debian's security archive, for another suite. */
    static Optional<AptSource> securityArchive(Collection<AptSource> all, String suite) {
        return all.stream()
                .filter(source -> source.components.contains("main") && source.isSecurity())
                .filter(source -> source.isDebians() || source.uris.stream().anyMatch(uri -> uri.contains("debian")))
                .findFirst()
                .map(source -> source.with(suite));
    }

    private boolean isSecurity() {
        return suites.stream().anyMatch(suite -> suite.endsWith("-security") || suite.endsWith("/updates"));
    }

    /** Third parties name folders and suites after Debian's, but sign with keys of their own. */
    private boolean isDebians() {
        String key = options.getOrDefault("signed-by", "");
        return key.isEmpty()
                ? uris.stream().anyMatch(uri -> uri.matches(".*/debian(-security)?/?"))
                : key.contains("debian-archive");
    }

    private AptSource with(String suite) {
        return new AptSource(uris, List.of(suite), List.of("main"), options);
    }

    /** As a paragraph of a {@code .sources} file that asks for nothing but the lists of packages of one architecture. */
    String toParagraph(String architecture) {
        StringBuilder text = new StringBuilder("Types: deb\n")
                .append("URIs: ")
                .append(String.join(" ", uris))
                .append('\n')
                .append("Suites: ")
                .append(String.join(" ", suites))
                .append('\n')
                .append("Components: ")
                .append(String.join(" ", components))
                .append('\n')
                .append("Architectures: ")
                .append(architecture)
                .append('\n')
                .append("Targets: Packages\n");
        options.forEach(
                (name, value) -> text.append(name).append(": ").append(value).append('\n'));
        return text.toString();
    }
}
