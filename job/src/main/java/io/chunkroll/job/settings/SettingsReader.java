package io.chunkroll.job.settings;

import static java.util.Comparator.comparingInt;

import io.chunkroll.sinks.table.ConnectionOptions;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Reads settings one by one and remembers every fault, the keys that nobody knows included. */
final class SettingsReader {
    private static final int SIMILAR = 4;

    private final Map<String, String> texts;
    private final Map<String, String> defaults = new HashMap<>();
    /** A setting is asked for in several places; what is wrong with it is told once. */
    private final Set<String> faults = new LinkedHashSet<>();

    private final Map<String, String> effective = new LinkedHashMap<>();

    SettingsReader(Map<String, String> texts) {
        this.texts = texts;
        texts.keySet().forEach(this::checkKey);
    }

    private void checkKey(String key) {
        boolean known =
                AllSettings.list().stream().anyMatch(setting -> setting.key().equals(key));
        if (known || (key.startsWith(AllSettings.SERVER_PREFIX) && key.length() > AllSettings.SERVER_PREFIX.length())) {
            return;
        }
        faults.add(key + ": there is no such setting"
                + similar(key).map(name -> "; did you mean " + name + "?").orElse(""));
    }

    private static Optional<String> similar(String key) {
        LevenshteinDistance distance = new LevenshteinDistance(SIMILAR);
        return AllSettings.list().stream()
                .map(Setting::key)
                .filter(known -> distance.apply(known, key) >= 0)
                .min(comparingInt(known -> distance.apply(known, key)));
    }

    /** The value; null after a fault, and where nothing is said and there is no default. */
    <T> T value(Setting<T> setting) {
        String usual =
                defaults.getOrDefault(setting.key(), setting.defaultText().orElse(null));
        String text = texts.getOrDefault(setting.key(), usual);
        if (text == null) {
            return null;
        }
        effective.put(setting.key(), text);
        try {
            return setting.parser().parse(text);
        } catch (IllegalArgumentException e) {
            String shown = setting.equals(AllSettings.URL) ? ConnectionOptions.masked(text) : text;
            faults.add(setting.key() + " \"" + shown + "\": " + e.getMessage());
            return null;
        }
    }

    boolean isSet(Setting<?> setting) {
        return texts.containsKey(setting.key());
    }

    boolean is(Setting<?> setting, String text) {
        return text.equals(texts.get(setting.key()));
    }

    /** Notes what a value that was given by a word, such as now, has come to mean. */
    void resolve(Setting<?> setting, String text) {
        effective.put(setting.key(), text);
    }

    /** Another default than the setting's own. */
    void byDefault(Setting<?> setting, String text) {
        defaults.put(setting.key(), text);
    }

    /** Notes a fault of one setting or of several together. */
    void fault(String fault) {
        faults.add(fault);
    }

    /** Notes a fault if the setting is given although it has no meaning here. */
    void refuse(Setting<?> setting, String reason) {
        if (isSet(setting)) {
            fault(setting.key() + ": " + reason);
        }
    }

    Map<String, String> server() {
        Map<String, String> server = new TreeMap<>();
        texts.forEach((key, text) -> {
            if (key.startsWith(AllSettings.SERVER_PREFIX)) {
                server.put(key.substring(AllSettings.SERVER_PREFIX.length()), text);
                effective.put(key, text);
            }
        });
        return server;
    }

    /** The text of every setting that has one, defaults too. */
    Map<String, String> effective() {
        return effective;
    }

    void throwFaults() {
        if (!faults.isEmpty()) {
            throw new SettingsException(List.copyOf(faults));
        }
    }
}
