package io.chunkroll.job.settings;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gathers settings as texts from the command line and from a YAML file; the command line wins. */
public final class SettingTexts {
    private static final String CONFIG = "config";
    /** On the command line short for {@link AllSettings#LIVE}. */
    private static final String LIVE = "live";

    private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build());

    private final Map<String, String> texts = new LinkedHashMap<>();
    private final List<String> faults = new ArrayList<>();

    private SettingTexts() {}

    /**
     * Reads {@code --key value}, {@code --key=value} and {@code --config FILE}.
     *
     * @param faults gets words that are no settings, keys given twice or without a value, a file that cannot be read
     */
    public static Map<String, String> of(List<String> arguments, List<String> faults) {
        SettingTexts read = new SettingTexts();
        read.arguments(arguments);
        String file = read.texts.remove(CONFIG);
        Map<String, String> all = new LinkedHashMap<>();
        if (file != null) {
            read.file(Path.of(file), all);
        }
        all.putAll(read.texts);
        faults.addAll(read.faults);
        return all;
    }

    /**
     * The settings of a YAML object, nested keys made dotted ones.
     *
     * @param faults gets keys without a value or given twice
     */
    public static Map<String, String> of(JsonNode object, List<String> faults) {
        SettingTexts read = new SettingTexts();
        Map<String, String> all = new LinkedHashMap<>();
        read.flatten("", object, all);
        faults.addAll(read.faults);
        return all;
    }

    private void arguments(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i);
            if (!word.startsWith("--") || word.length() == 2) {
                faults.add(word + ": stands alone; settings are given as --key value");
                continue;
            }
            int equals = word.indexOf('=');
            String key = equals < 0 ? word.substring(2) : word.substring(2, equals);
            if (equals < 0 && i + 1 == arguments.size()) {
                faults.add(key + ": has no value behind it");
                continue;
            }
            String value = equals < 0 ? arguments.get(++i) : word.substring(equals + 1);
            if (texts.put(key.equals(LIVE) ? AllSettings.LIVE.key() : key, value) != null) {
                faults.add(key + ": is given twice");
            }
        }
    }

    private void file(Path file, Map<String, String> into) {
        try (MappingIterator<JsonNode> documents =
                YAML.readerFor(JsonNode.class).readValues(Files.readString(file).replaceFirst("^\uFEFF", ""))) {
            JsonNode root = documents.hasNextValue() ? documents.nextValue() : YAML.createObjectNode();
            if (!root.isObject()) {
                faults.add("--config " + file + ": does not hold keys and values");
            } else if (documents.hasNextValue()) {
                faults.add("--config " + file + ": holds several documents; remove the lines ---");
            } else {
                flatten("", root, into);
            }
        } catch (JsonProcessingException e) {
            faults.add("--config " + file + ": is no YAML: " + withoutExcerpt(e.getOriginalMessage()) + " (line "
                    + (e.getLocation() == null ? "?" : e.getLocation().getLineNr()) + ")");
        } catch (NoSuchFileException e) {
            faults.add("--config " + file + ": there is no such file");
        } catch (CharacterCodingException e) {
            faults.add("--config " + file + ": is not written in UTF-8");
        } catch (IOException e) {
            faults.add("--config " + file + ": cannot be read (" + e.getMessage() + ")");
        }
    }

    /** Only the parser's own words: what it shows of the file may hold a password. */
    private static String withoutExcerpt(String message) {
        return message.lines()
                .filter(line -> !line.startsWith(" "))
                .collect(joining(", "))
                .replaceAll(",+ ", ", ");
    }

    /** Nested keys become dotted ones, lists become texts apart by commas. */
    private void flatten(String prefix, JsonNode node, Map<String, String> into) {
        node.properties().forEach(entry -> {
            String key = prefix + entry.getKey();
            JsonNode value = entry.getValue();
            if (value.isObject()) {
                flatten(key + '.', value, into);
            } else if (value.isArray()) {
                List<String> items = new ArrayList<>();
                value.forEach(item -> items.add(item.asText()));
                into.put(key, String.join(",", items));
            } else if (value.isNull()) {
                faults.add(key + ": has no value behind it");
            } else if (into.put(key, value.asText()) != null) {
                faults.add(key + ": is given twice");
            }
        });
    }
}
