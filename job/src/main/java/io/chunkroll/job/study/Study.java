package io.chunkroll.job.study;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a study file says, checked.
 *
 * @param name the file's, without its ending
 * @param question what the study answers
 * @param repeats how often each run is made
 * @param input settings of the cpu file that is written beforehand and that every run with {@code source.kind csv} reads; empty where
 *     there is none
 * @param runs in the order of the file
 * @param ratios what is compared at the end
 */
public record Study(
        String name,
        String question,
        int repeats,
        Map<String, String> input,
        List<PlannedRun> runs,
        List<Ratio> ratios) {
    /** How many rows a run reads, or an input file has. */
    static final String ROWS = "source.rows";

    private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build());
    private static final Set<String> KEYS = Set.of("question", "repeats", "input", "settings", "runs", "ratios");
    private static final Set<String> RUN_KEYS = Set.of("name", "settings", "psql", "prepare", "rows");
    private static final Set<String> RATIO_KEYS = Set.of("name", "figure", "of", "to", "wanted");

    /**
     * One run.
     *
     * @param texts its settings, those of the whole study included
     * @param psql over how many connections psql's {@code \copy} loads the input; empty for a load of ours
     * @param prepare SQL that is executed when the table is made, such as making chunks for psql; may be empty
     * @param rows how many rows it reads instead of the study's; empty for all
     */
    public record PlannedRun(
            String name, Map<String, String> texts, OptionalInt psql, String prepare, Optional<Long> rows) {}

    /**
     * Two runs compared.
     *
     * @param figure a {@link Measurement.Figure}
     * @param wanted what should come out, in words; may be empty
     */
    public record Ratio(String name, Measurement.Figure figure, String of, String to, String wanted) {}

    /**
     * Reads a study file.
     *
     * @param scale by which all numbers of rows are multiplied
     * @param repeats instead of the file's, if given
     * @param overrides settings that win over the file's in every run
     * @throws SettingsException with every fault there is
     */
    public static Study read(Path file, double scale, OptionalInt repeats, Map<String, String> overrides) {
        List<String> faults = new ArrayList<>();
        JsonNode root = tree(file);
        unknown("", root, KEYS, faults);
        Map<String, String> input = texts(root.path("input"));
        input.computeIfPresent(ROWS, (key, rows) -> scaled(rows, scale));
        Map<String, String> common = texts(root.path("settings"));
        List<PlannedRun> runs = new ArrayList<>();
        for (JsonNode node : root.path("runs")) {
            unknown("runs: " + node.path("name").asText() + ": ", node, RUN_KEYS, faults);
            Map<String, String> texts = new LinkedHashMap<>(common);
            texts.putAll(texts(node.path("settings")));
            texts.putAll(overrides);
            texts.put("sink.create", "recreate");
            if (texts.containsKey("sink.url")) {
                // What the study asks of the embedded server another cannot be told.
                texts.keySet().removeIf(key -> key.startsWith("server."));
            }
            Optional<Long> rows = node.has("rows")
                    ? Optional.of(Long.parseLong(scaled(node.path("rows").asText(), scale)))
                    : Optional.empty();
            if (!"csv".equals(texts.get("source.kind"))) {
                rows.ifPresent(number -> texts.put(ROWS, number.toString()));
                if (rows.isEmpty()) {
                    texts.computeIfPresent(ROWS, (key, number) -> scaled(number, scale));
                }
            }
            runs.add(new PlannedRun(
                    node.path("name").asText(),
                    texts,
                    node.has("psql") ? OptionalInt.of(node.path("psql").asInt()) : OptionalInt.empty(),
                    node.path("prepare").asText(""),
                    rows));
        }
        List<Ratio> ratios = ratios(root.path("ratios"), runs, faults);
        String fileName = file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
        Study study = new Study(
                fileName,
                root.path("question").asText("").strip(),
                repeats.orElse(root.path("repeats").asInt(3)),
                input,
                List.copyOf(runs),
                ratios);
        study.check(faults);
        return study;
    }

    private static JsonNode tree(Path file) {
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

    private static void unknown(String where, JsonNode node, Set<String> known, List<String> faults) {
        node.fieldNames().forEachRemaining(key -> {
            if (!known.contains(key)) {
                faults.add(
                        where + key + ": is no key of a study; known are " + String.join(", ", new TreeSet<>(known)));
            }
        });
    }

    private static Map<String, String> texts(JsonNode node) {
        Map<String, String> texts = new LinkedHashMap<>();
        node.properties()
                .forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        return texts;
    }

    private static String scaled(String rows, double scale) {
        return Long.toString(Math.max(1, Math.round(Long.parseLong(rows.replace("_", "")) * scale)));
    }

    private static List<Ratio> ratios(JsonNode list, List<PlannedRun> runs, List<String> faults) {
        List<Ratio> ratios = new ArrayList<>();
        List<String> names = runs.stream().map(PlannedRun::name).toList();
        for (JsonNode node : list) {
            String name = node.path("name").asText();
            unknown("ratios: " + name + ": ", node, RATIO_KEYS, faults);
            Optional<Measurement.Figure> figure =
                    Measurement.Figure.of(node.path("figure").asText());
            if (figure.isEmpty()) {
                faults.add("ratios: " + name + ": figure is one of " + Measurement.Figure.words());
            }
            for (String end : List.of("of", "to")) {
                if (!names.contains(node.path(end).asText())) {
                    faults.add("ratios: " + name + ": " + end + " names no run: '"
                            + node.path(end).asText() + "'");
                }
            }
            figure.ifPresent(known -> ratios.add(new Ratio(
                    name,
                    known,
                    node.path("of").asText(),
                    node.path("to").asText(),
                    node.path("wanted").asText(""))));
        }
        return ratios;
    }

    /** Checks the settings of every run, before the first is made. */
    private void check(List<String> faults) {
        if (question.isEmpty()) {
            faults.add("question: is missing; what does the study answer?");
        }
        if (repeats < 1) {
            faults.add("repeats: must be at least 1");
        }
        if (runs.isEmpty()) {
            faults.add("runs: are missing");
        }
        if (runs.stream().map(PlannedRun::name).distinct().count() < runs.size()) {
            faults.add("runs: two have the same name");
        }
        for (PlannedRun run : runs) {
            Map<String, String> texts = new LinkedHashMap<>(run.texts());
            if (readsInput(run)) {
                texts.put("source.path", "input.csv");
            }
            try {
                Settings.ofLocalRun(texts);
            } catch (SettingsException e) {
                e.faults().forEach(fault -> faults.add(run.name() + ": " + fault));
            }
            if (run.psql().isPresent() && (run.psql().getAsInt() < 1 || !readsInput(run))) {
                faults.add(run.name() + ": psql needs a number of connections, and the study's input to read");
            }
        }
        if (!faults.isEmpty()) {
            throw new SettingsException(faults);
        }
    }

    /** Whether the run reads the file that is written beforehand. */
    boolean readsInput(PlannedRun run) {
        return !input.isEmpty()
                && "csv".equals(run.texts().get("source.kind"))
                && !run.texts().containsKey("source.path");
    }
}
