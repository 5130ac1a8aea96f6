package io.chunkroll.job.study;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.chunkroll.job.settings.SettingTexts;
import io.chunkroll.job.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads the YAML of study files.
 *
 * @param faults gets what is wrong
 */
record StudyNodes(List<String> faults) {
    private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build());

    /** A whole number of at least 1; empty where there is none, and after a fault. */
    OptionalInt count(String key, JsonNode parent, String where) {
        JsonNode node = parent.path(key);
        if (node.isMissingNode()) {
            return OptionalInt.empty();
        }
        if (!node.isInt() || node.asInt() < 1) {
            faults.add(where + key + ": must be a whole number of at least 1");
            return OptionalInt.empty();
        }
        return OptionalInt.of(node.asInt());
    }

    /**
     * What a file holds.
     *
     * @throws SettingsException if it cannot be read or is no YAML
     */
    static JsonNode tree(Path file) {
        try {
            return YAML.readTree(Files.readString(file));
        } catch (JsonProcessingException e) {
            throw new SettingsException(List.of(file + ": is no YAML: " + e.getOriginalMessage()));
        } catch (NoSuchFileException e) {
            throw new SettingsException(List.of(file + ": there is no such study"));
        } catch (IOException e) {
            throw new SettingsException(List.of(file + ": cannot be read (" + e.getMessage() + ")"));
        }
    }

    /** Notes keys that are none. */
    void unknown(String where, JsonNode node, Set<String> known) {
        node.fieldNames().forEachRemaining(key -> {
            if (!known.contains(key)) {
                faults.add(
                        where + key + ": is no key of a study; known are " + String.join(", ", new TreeSet<>(known)));
            }
        });
    }

    /** The settings under a key; none where it is missing, and after a fault. */
    Map<String, String> texts(String key, JsonNode parent) {
        JsonNode node = parent.path(key);
        if (node.isMissingNode()) {
            return new LinkedHashMap<>();
        }
        if (!node.isObject()) {
            faults.add(key + ": must hold keys and values");
            return new LinkedHashMap<>();
        }
        return SettingTexts.of(node, faults);
    }
}
