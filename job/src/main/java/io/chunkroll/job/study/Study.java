package io.chunkroll.job.study;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.SettingTexts;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.SettingsException;
import io.chunkroll.sinks.table.ConnectionOptions;
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
    private static final String RUN_NAME = "(?!input)\\w[\\w .,+-]*";
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
        Map<String, String> input = texts("input", root, scale, faults);
        Map<String, String> common = texts("settings", root, 1, faults);
        List<PlannedRun> runs = new ArrayList<>();
        for (JsonNode node : root.path("runs")) {
            runs.add(run(node, common, scale, overrides, faults));
        }
        List<Ratio> ratios = ratios(root.path("ratios"), runs, faults);
        String fileName = file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
        OptionalInt ownRepeats = count("repeats", root, "", faults);
        Study study = new Study(
                fileName,
                root.path("question").asText("").strip(),
                repeats.orElse(ownRepeats.orElse(3)),
                input,
                List.copyOf(runs),
                ratios);
        study.check(faults);
        return study;
    }

    private static PlannedRun run(
            JsonNode node,
            Map<String, String> common,
            double scale,
            Map<String, String> overrides,
            List<String> faults) {
        String name = node.path("name").asText("");
        if (!name.matches(RUN_NAME)) {
            faults.add(
                    "runs: a run's name is made of letters, digits, spaces and . , + - _ and does not begin with input: '"
                            + name + "'");
        }
        unknown("runs: " + name + ": ", node, RUN_KEYS, faults);
        Map<String, String> texts = new LinkedHashMap<>(common);
        texts.putAll(texts("settings", node, 1, faults));
        texts.putAll(overrides);
        texts.put("sink.create", "recreate");
        if (texts.containsKey("sink.url")) {
            // What the study asks of the embedded server another cannot be told.
            texts.keySet().removeIf(key -> key.startsWith("server."));
        }
        Optional<Long> rows = node.has("rows")
                ? Optional.of(scaled(name + ": rows", node.path("rows").asText(), scale, faults))
                : Optional.empty();
        if (!"csv".equals(texts.get(AllSettings.SOURCE_KIND.key()))) {
            long all = rows.orElseGet(() -> scaled(
                    name + ": " + ROWS,
                    texts.getOrDefault(ROWS, AllSettings.ROWS.defaultText().orElseThrow()),
                    scale,
                    faults));
            texts.put(ROWS, Long.toString(all));
        } else if (rows.isPresent() && texts.containsKey(AllSettings.SOURCE_PATH.key())) {
            faults.add(name + ": rows are for the study's input, but source.path names another file");
        }
        OptionalInt psql = count("psql", node, name + ": ", faults);
        String prepare = node.path("prepare").asText("");
        if (!prepare.isEmpty() && psql.isEmpty()) {
            faults.add(name + ": prepare is for a run by psql");
        }
        return new PlannedRun(name, texts, psql, prepare, rows);
    }

    private static OptionalInt count(String key, JsonNode parent, String where, List<String> faults) {
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

    /** The settings under a key; their number of rows is scaled. Without any there is no file to write, or nothing to add. */
    private static Map<String, String> texts(String key, JsonNode parent, double scale, List<String> faults) {
        JsonNode node = parent.path(key);
        if (node.isMissingNode()) {
            return new LinkedHashMap<>();
        }
        if (!node.isObject()) {
            faults.add(key + ": must hold keys and values");
            return new LinkedHashMap<>();
        }
        Map<String, String> texts = SettingTexts.of(node, faults);
        if (key.equals("input")) {
            String rows =
                    texts.getOrDefault(ROWS, AllSettings.ROWS.defaultText().orElseThrow());
            texts.put(ROWS, Long.toString(scaled("input: " + ROWS, rows, scale, faults)));
        }
        return texts;
    }

    private static long scaled(String where, String rows, double scale, List<String> faults) {
        if (!rows.matches("[1-9][0-9_]{0,17}")) {
            faults.add(where + ": must be a whole number of at least 1, not '" + rows + "'");
            return 1;
        }
        return Math.max(1, Math.round(Long.parseLong(rows.replace("_", "")) * scale));
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
        if (runs.isEmpty()) {
            faults.add("runs: are missing");
        }
        if (runs.stream().map(PlannedRun::name).distinct().count() < runs.size()) {
            faults.add("runs: two have the same name");
        }
        if (!input.isEmpty()) {
            addFaults("input", () -> Settings.of(input), faults);
        }
        for (PlannedRun run : runs) {
            Map<String, String> texts = new LinkedHashMap<>(run.texts());
            if (readsInput(run)) {
                texts.put("source.path", "input.csv");
            }
            addFaults(run.name(), () -> Settings.ofLocalRun(texts), faults);
            if (run.psql().isPresent() && !readsInput(run)) {
                faults.add(run.name() + ": psql needs a number of connections, and the study's input to read");
            }
        }
        if (!faults.isEmpty()) {
            throw new SettingsException(faults);
        }
    }

    private static void addFaults(String where, Runnable check, List<String> faults) {
        try {
            check.run();
        } catch (SettingsException e) {
            e.faults().forEach(fault -> faults.add(where + ": " + fault));
        }
    }

    /**
     * Stands for all that decides what is measured; two studies with the same can go on in each other's folder. It holds no
     * secret.
     */
    String fingerprint() {
        List<String> parts = new ArrayList<>(List.of(Integer.toString(repeats), input.toString()));
        for (PlannedRun run : runs) {
            Map<String, String> texts = new LinkedHashMap<>(run.texts());
            texts.remove(AllSettings.PASSWORD.key());
            texts.computeIfPresent(AllSettings.URL.key(), (key, url) -> ConnectionOptions.masked(url));
            parts.add(run.name() + texts + run.psql() + run.prepare() + run.rows());
        }
        return String.join("\n", parts);
    }

    /** Whether the run reads the file that is written beforehand. */
    boolean readsInput(PlannedRun run) {
        return !input.isEmpty()
                && "csv".equals(run.texts().get("source.kind"))
                && !run.texts().containsKey("source.path");
    }
}
