package io.chunkroll.job.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** What run.json says. Read leniently: a field that is missing, null or of another type counts as not measured. */
public final class RunSummary {
    private final String name;
    private final JsonNode json;

    RunSummary(String name, JsonNode json) {
        this.name = name;
        this.json = json;
    }

    /** The run's name, or its folder's where it has none. */
    public String name() {
        String given = json.path("name").asText("");
        return given.isBlank() ? name : given;
    }

    RunSummary named(String other) {
        return new RunSummary(other, ((ObjectNode) json.deepCopy()).put("name", other));
    }

    /** When it began, in ISO form. */
    public Optional<String> startedAt() {
        return text(json.path("started_at"));
    }

    /** A setting, as text. */
    public Optional<String> setting(String key) {
        return text(json.path("settings").path(key));
    }

    /** All settings that have a value, by key. */
    public SortedMap<String, String> settings() {
        return flat(json.path("settings"));
    }

    /** What the run ran on, nested keys joined by dots. */
    public SortedMap<String, String> environment() {
        return flat(json.path("environment"));
    }

    /** A whole number such as {@code rows_written}. */
    public OptionalLong whole(String field) {
        JsonNode value = json.path(field);
        return value.isNumber() ? OptionalLong.of(value.asLong()) : OptionalLong.empty();
    }

    /** A number such as {@code seconds}; a dot leads into an object, as in {@code flush_ms.p99}. */
    public OptionalDouble decimal(String field) {
        JsonNode value = json.at("/" + field.replace('.', '/'));
        return value.isNumber() ? OptionalDouble.of(value.asDouble()) : OptionalDouble.empty();
    }

    /** Whole numbers such as {@code rows_per_subtask.all}; none where that is no array of them. */
    List<Long> wholes(String field) {
        List<Long> values = new ArrayList<>();
        json.at("/" + field.replace('.', '/')).forEach(value -> {
            if (value.isNumber()) {
                values.add(value.asLong());
            }
        });
        return values;
    }

    /** A text or truth such as {@code after_load.ended}, with dots as above; empty where there is none. */
    String word(String field) {
        return text(json.at("/" + field.replace('.', '/'))).orElse("");
    }

    /** A list of texts such as {@code table.indexes}; empty where there is none. */
    List<String> list(String field) {
        List<String> values = new ArrayList<>();
        json.at("/" + field.replace('.', '/')).forEach(value -> text(value).ifPresent(values::add));
        return values;
    }

    /** Why figures are null, by their names. */
    public SortedMap<String, String> notMeasured() {
        return flat(json.path("not_measured"));
    }

    /** The chunks or partitions that there were at the end. */
    List<ChunkSize> chunkList() {
        List<ChunkSize> chunks = new ArrayList<>();
        json.path("chunk_list").forEach(chunk -> chunks.add(ChunkSize.of(chunk)));
        return chunks;
    }

    /** Whether the table holds as many new rows as were inserted; empty where one of the two was not counted. */
    public Optional<Boolean> allRowsInTable() {
        boolean allNew = setting("sink.on-conflict").orElse("error").equals("error");
        OptionalLong written = whole(allNew ? "rows_written" : "rows_inserted");
        OptionalLong found = whole("rows_in_table");
        return written.isPresent() && found.isPresent()
                ? Optional.of(written.getAsLong() == found.getAsLong())
                : Optional.empty();
    }

    static Optional<String> text(JsonNode value) {
        return value.isValueNode() && !value.isNull() ? Optional.of(value.asText()) : Optional.empty();
    }

    private static SortedMap<String, String> flat(JsonNode object) {
        SortedMap<String, String> values = new TreeMap<>();
        flatten("", object, values);
        return values;
    }

    private static void flatten(String prefix, JsonNode node, SortedMap<String, String> values) {
        if (node.isObject()) {
            node.properties()
                    .forEach(field -> flatten(
                            prefix.isEmpty() ? field.getKey() : prefix + "." + field.getKey(),
                            field.getValue(),
                            values));
        } else if (node.isArray()) {
            values.put(prefix, node.toString());
        } else {
            text(node).ifPresent(value -> values.put(prefix, value));
        }
    }
}
