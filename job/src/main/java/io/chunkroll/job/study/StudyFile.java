package io.chunkroll.job.study;

import com.fasterxml.jackson.databind.JsonNode;
import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.SettingsException;
import io.chunkroll.job.study.Study.Growth;
import io.chunkroll.job.study.Study.PlannedRun;
import io.chunkroll.job.study.Study.Ratio;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Reads a study file and tells of all its faults at once. {@code studies/schema.json} says the same to an editor. */
public final class StudyFile {
    static final Set<String> KEYS = Set.of(
            "question",
            "published",
            "repeats",
            "endless",
            "input",
            "settings",
            "chunks",
            "runs",
            "grow",
            "show",
            "ratios");
    static final Set<String> RUN_KEYS =
            Set.of("name", "settings", "psql", "before", "prepare", "finish", "rows", "chunks", "published");
    static final Set<String> RATIO_KEYS = Set.of("name", "figure", "of", "to", "wanted", "published");
    static final Set<String> GROW_KEYS = Set.of("faster", "than", "stages");
    static final Set<String> STAGE_KEYS = Set.of("name", "settings");

    private static final String NAME = "(?!input|warm-up)\\w[\\w .,+-]*";
    private static final List<Figure> SHOWN = List.of(Figure.READY_SECONDS, Figure.SERVER_CPU, Figure.CLIENT_CPU);

    private final JsonNode root;
    private final Map<String, String> overrides;
    private final List<String> faults;
    private final StudyNodes nodes;
    private final Scale scale;
    private final boolean endless;
    private final Map<String, String> common;
    private final Map<String, String> input;

    private StudyFile(JsonNode root, double factor, Map<String, String> overrides) {
        this.root = root;
        this.overrides = overrides;
        faults = new ArrayList<>();
        nodes = new StudyNodes(faults);
        scale = new Scale(factor, faults);
        nodes.unknown("", root, KEYS);
        endless = root.path("endless").asBoolean() && factor == 1 && !overrides.containsKey(Study.ROWS);
        common = nodes.texts("settings", root);
        input = nodes.texts("input", root);
        if (root.has("input")) {
            scale.apply("input: ", input);
        }
    }

    /**
     * Reads a study file.
     *
     * @param factor by which all numbers of rows are multiplied
     * @param repeats instead of the file's, if given
     * @param overrides settings that win over the file's in every run
     * @throws SettingsException with every fault there is
     */
    public static Study read(Path file, double factor, OptionalInt repeats, Map<String, String> overrides) {
        StudyFile reader = new StudyFile(StudyNodes.tree(file), factor, overrides);
        Study study = reader.study(file.getFileName().toString().replaceFirst("\\.ya?ml$", ""), repeats);
        reader.check(study);
        if (!reader.faults.isEmpty()) {
            throw new SettingsException(reader.faults);
        }
        return study;
    }

    private Study study(String name, OptionalInt repeats) {
        Optional<Growth> growth = growth();
        List<PlannedRun> runs = new ArrayList<>();
        if (growth.isEmpty()) {
            root.path("runs").forEach(node -> runs.add(run(node, nameOf(node), Map.of(), 0)));
        }
        for (int stage = 0; growth.isPresent() && stage < growth.get().stages().size(); stage++) {
            Map<String, String> more =
                    nodes.texts("settings", root.path("grow").path("stages").path(stage));
            for (JsonNode node : root.path("runs")) {
                runs.add(run(node, growth.get().run(nameOf(node), stage), more, stage));
            }
        }
        List<Ratio> ratios = ratios(runs);
        if (endless && !runs.isEmpty()) {
            // What ends by Ctrl-C ends the study.
            runs.subList(1, runs.size()).clear();
            ratios = List.of();
        }
        OptionalInt ownRepeats = nodes.count("repeats", root, "");
        return new Study(
                name,
                root.path("question").asText("").strip(),
                root.has("published")
                        ? Optional.of(root.path("published").asText().strip())
                        : Optional.empty(),
                repeats.orElse(ownRepeats.orElse(3)),
                input,
                List.copyOf(runs),
                shown(),
                ratios,
                growth,
                List.copyOf(scale.notes()));
    }

    private PlannedRun run(JsonNode node, String name, Map<String, String> stageTexts, int stage) {
        String where = name + ": ";
        nodes.unknown("runs: " + where, node, RUN_KEYS);
        Map<String, String> texts = new LinkedHashMap<>(common);
        texts.putAll(stageTexts);
        texts.putAll(nodes.texts("settings", node));
        if (texts.containsKey(AllSettings.LIVE.key())) {
            faults.add(where + AllSettings.LIVE.key() + ": is not for one run; give --live with the command");
        }
        if (!overrides.containsKey(AllSettings.WATCH_AFTER.key())) {
            scale.watch(texts);
        }
        texts.putAll(overrides);
        texts.put("sink.create", "recreate");
        withoutServerElsewhere(texts);
        boolean ofFile = "csv".equals(texts.get(AllSettings.SOURCE_KIND.key()))
                || "tsbs".equals(texts.get(AllSettings.SOURCE_KIND.key()));
        Optional<Long> rows = node.has("rows")
                ? Optional.of(scale.rows(where + "rows", node.path("rows").asText()))
                : Optional.empty();
        if (!ofFile && endless) {
            texts.put(Study.ROWS, "0");
        } else if (!ofFile) {
            if (node.has("rows")) {
                texts.put(Study.ROWS, node.path("rows").asText());
            }
            scale.apply(where, texts);
        } else if (rows.isPresent() && texts.containsKey(AllSettings.SOURCE_PATH.key())) {
            faults.add(where + "rows are for the study's input, but source.path names another file");
        }
        OptionalInt chunks = nodes.count("chunks", node, where);
        if (chunks.isEmpty()) {
            chunks = nodes.count("chunks", root, "");
        }
        if (chunks.isPresent() && !texts.containsKey(AllSettings.CHUNK_INTERVAL.key())) {
            scale.chunks(chunks.getAsInt(), ofFile ? input : texts, texts);
        }
        OptionalInt psql = nodes.count("psql", node, where);
        String prepare = node.path("prepare").asText("");
        String finish = node.path("finish").asText("");
        if (psql.isEmpty() && !(prepare + finish).isEmpty()) {
            faults.add(where + "prepare and finish are for a run by psql");
        }
        return new PlannedRun(
                name, texts, psql, before(node, where, texts), prepare, finish, rows, stage, published(node, where));
    }

    /** What the study asks of the embedded server another cannot be told. */
    private static void withoutServerElsewhere(Map<String, String> texts) {
        if (texts.containsKey(AllSettings.URL.key())) {
            texts.keySet().removeIf(key -> key.startsWith(AllSettings.SERVER_PREFIX));
        }
    }

    /** The settings of the load beforehand: those of the run, but for what it says itself. */
    private Map<String, String> before(JsonNode node, String where, Map<String, String> texts) {
        if (!node.has("before")) {
            return Map.of();
        }
        Map<String, String> before = new LinkedHashMap<>(texts);
        Map<String, String> own = nodes.texts("before", node);
        if (!own.containsKey(Study.ROWS)) {
            faults.add(where + "before: source.rows is missing: how many rows are there already?");
            return Map.of();
        }
        before.putAll(own);
        before.keySet().removeAll(List.of(AllSettings.SOURCE_PATH.key(), AllSettings.WATCH_AFTER.key()));
        before.put(AllSettings.SOURCE_KIND.key(), "generated");
        scale.apply(where + "before: ", before);
        return before;
    }

    private Map<Figure, Double> published(JsonNode node, String where) {
        Map<Figure, Double> published = new EnumMap<>(Figure.class);
        node.path("published").properties().forEach(entry -> {
            Optional<Figure> figure = Figure.of(entry.getKey());
            if (figure.isEmpty() || !entry.getValue().isNumber()) {
                faults.add(where + "published: " + entry.getKey() + ": must be a number for one of "
                        + String.join(", ", Figure.words()));
            }
            figure.ifPresent(known -> published.put(known, entry.getValue().asDouble()));
        });
        return published;
    }

    private Optional<Growth> growth() {
        JsonNode grow = root.path("grow");
        if (grow.isMissingNode()) {
            return Optional.empty();
        }
        nodes.unknown("grow: ", grow, GROW_KEYS);
        List<String> stages = new ArrayList<>();
        for (JsonNode stage : grow.path("stages")) {
            nodes.unknown("grow: stages: ", stage, STAGE_KEYS);
            stages.add(nameOf(stage));
        }
        List<String> names = new ArrayList<>();
        root.path("runs").forEach(run -> names.add(run.path("name").asText()));
        for (String end : List.of("faster", "than")) {
            if (!names.contains(grow.path(end).asText())) {
                faults.add("grow: " + end + " names no run: '" + grow.path(end).asText() + "'");
            }
        }
        if (stages.isEmpty()) {
            faults.add("grow: stages: are missing");
            return Optional.empty();
        }
        return Optional.of(
                new Growth(grow.path("faster").asText(), grow.path("than").asText(), List.copyOf(stages)));
    }

    private String nameOf(JsonNode node) {
        String name = node.path("name").asText("");
        if (!name.matches(NAME)) {
            String fault =
                    "runs: a name is made of letters, digits, spaces and . , + - _ and does not begin with input or warm-up: '"
                            + name + "'";
            if (!faults.contains(fault)) {
                faults.add(fault);
            }
        }
        return name;
    }

    private List<Figure> shown() {
        if (!root.has("show")) {
            return SHOWN;
        }
        List<Figure> shown = new ArrayList<>();
        for (JsonNode node : root.path("show")) {
            Figure.of(node.asText())
                    .ifPresentOrElse(
                            shown::add,
                            () -> faults.add(
                                    "show: " + node.asText() + " is none of " + String.join(", ", Figure.words())));
        }
        return shown;
    }

    private List<Ratio> ratios(List<PlannedRun> runs) {
        List<Ratio> ratios = new ArrayList<>();
        List<String> names = runs.stream().map(PlannedRun::name).toList();
        for (JsonNode node : root.path("ratios")) {
            String name = node.path("name").asText();
            nodes.unknown("ratios: " + name + ": ", node, RATIO_KEYS);
            Optional<Figure> figure = Figure.of(node.path("figure").asText());
            if (figure.isEmpty()) {
                faults.add("ratios: " + name + ": figure is one of " + String.join(", ", Figure.words()));
            }
            for (String end : List.of("of", "to")) {
                if (!names.contains(node.path(end).asText())) {
                    faults.add("ratios: " + name + ": " + end + " names no run: '"
                            + node.path(end).asText() + "'");
                }
            }
            JsonNode published = node.path("published");
            if (!published.isMissingNode() && !published.isNumber()) {
                faults.add("ratios: " + name + ": published must be a number");
            }
            figure.ifPresent(known -> ratios.add(new Ratio(
                    name,
                    known,
                    node.path("of").asText(),
                    node.path("to").asText(),
                    node.path("wanted").asText(""),
                    published.isNumber() ? Optional.of(published.asDouble()) : Optional.empty())));
        }
        return ratios;
    }

    /** Checks the settings of every run, before the first is made. */
    private void check(Study study) {
        if (study.question().isEmpty()) {
            faults.add("question: is missing; what does the study answer?");
        }
        if (study.runs().isEmpty()) {
            faults.add("runs: are missing");
        }
        if (study.runs().stream().map(PlannedRun::name).distinct().count()
                < study.runs().size()) {
            faults.add("runs: two have the same name");
        }
        if (!input.isEmpty()) {
            addFaults("input", () -> Settings.of(input));
        }
        for (PlannedRun run : study.runs()) {
            Map<String, String> texts = new LinkedHashMap<>(run.texts());
            if (study.readsInput(run)) {
                texts.put(AllSettings.SOURCE_PATH.key(), "input.csv");
            }
            addFaults(run.name(), () -> Settings.ofLocalRun(texts));
            if (!run.before().isEmpty()) {
                addFaults(run.name() + ": before", () -> Settings.ofLocalRun(run.before()));
            }
            if (run.psql().isPresent() && !study.readsInput(run)) {
                faults.add(run.name() + ": psql needs a number of connections, and the study's input to read");
            }
        }
    }

    private void addFaults(String where, Runnable check) {
        try {
            check.run();
        } catch (SettingsException e) {
            e.faults().forEach(fault -> faults.add(where + ": " + fault));
        }
    }
}
