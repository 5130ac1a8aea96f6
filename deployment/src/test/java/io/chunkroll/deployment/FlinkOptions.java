package io.chunkroll.deployment;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/** Every option that Flink's classes on this class path declare. Flink itself ignores what it does not know. */
final class FlinkOptions {
    private static final Pattern OPTIONS_CLASS = Pattern.compile("(org/apache/flink/[^$]*Options)\\.class");
    /** What reporters read is no option of a class: what holds for each of them, and what Prometheus' one reads. */
    private static final Pattern OF_REPORTER = Pattern.compile("metrics\\.reporter\\.([^.]+)\\.(factory\\.class|port)");
    /** The operator's own, checked in a module with the operator in it. */
    private static final Set<String> OF_OPERATOR = Set.of("kubernetes.operator.", "job.autoscaler.");

    private static final Map<String, ConfigOption<?>> KNOWN = known();

    private FlinkOptions() {}

    /** Keys that nobody reads, and values that are not of their option's type. */
    static List<String> faults(Map<String, String> settings) {
        List<String> faults = new ArrayList<>();
        Configuration configuration = Configuration.fromMap(settings);
        settings.forEach((key, value) -> {
            Matcher reporter = OF_REPORTER.matcher(key);
            if (reporter.matches()) {
                if (!List.of(settings.getOrDefault("metrics.reporters", "").split(" *, *"))
                        .contains(reporter.group(1))) {
                    faults.add(key + ": metrics.reporters does not name " + reporter.group(1));
                }
            } else if (!KNOWN.containsKey(key)) {
                if (OF_OPERATOR.stream().noneMatch(key::startsWith)) {
                    faults.add(key + ": Flink has no such option");
                }
            } else {
                try {
                    configuration.get(KNOWN.get(key));
                } catch (IllegalArgumentException e) {
                    faults.add(key + ": " + e.getMessage());
                }
            }
        });
        return faults;
    }

    private static Map<String, ConfigOption<?>> known() {
        Map<String, ConfigOption<?>> known = new LinkedHashMap<>();
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(jar -> jar.getFileName().toString().matches("flink-(core|runtime|clients|kubernetes).*\\.jar"))
                .flatMap(FlinkOptions::optionsClasses)
                .forEach(name -> collect(name, known));
        return known;
    }

    private static Stream<String> optionsClasses(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream()
                    .map(JarEntry::getName)
                    .map(OPTIONS_CLASS::matcher)
                    .filter(Matcher::matches)
                    .map(matcher -> matcher.group(1).replace('/', '.'))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + jar, e);
        }
    }

    private static void collect(String className, Map<String, ConfigOption<?>> known) {
        try {
            for (Field field : Class.forName(className).getFields()) {
                if (Modifier.isStatic(field.getModifiers()) && field.getType() == ConfigOption.class) {
                    ConfigOption<?> option = (ConfigOption<?>) field.get(null);
                    known.put(option.key(), option);
                }
            }
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalStateException("cannot read the options of " + className, e);
        }
    }
}
