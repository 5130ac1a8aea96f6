package io.chunkroll.job.study;

import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.sinks.table.ConnectionOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a study file says, checked and scaled.
 *
 * @param name the file's, without its ending
 * @param question what the study answers
 * @param published who published such figures, and of which hardware; empty where nobody did
 * @param repeats how often each run is made
 * @param input settings of the file that is written beforehand and that every run with {@code source.kind csv} reads; empty where there
 *     is none
 * @param runs in the order of the file, stage by stage
 * @param show the figures in the table, besides rows per second
 * @param ratios what is compared at the end
 * @param growth what ends a study that grows from stage to stage; empty where there is one stage
 * @param notes what scaling did, for the reader
 */
public record Study(
        String name,
        String question,
        Optional<String> published,
        int repeats,
        Map<String, String> input,
        List<PlannedRun> runs,
        List<Figure> show,
        List<Ratio> ratios,
        Optional<Growth> growth,
        List<String> notes) {
    /** How many rows a run reads, or an input file has. */
    static final String ROWS = AllSettings.ROWS.key();

    /**
     * One run.
     *
     * @param texts its settings, those of the whole study included
     * @param psql over how many connections psql's {@code \copy} loads the input; empty for a load of ours
     * @param before settings of a load into the same table beforehand, which is not measured; empty for none
     * @param prepare SQL that is executed when the table is made, such as making chunks for psql; may be empty
     * @param finish SQL that is executed when psql has loaded, such as making indexes, and measured with it; may be empty
     * @param rows how many rows it reads instead of the study's; empty for all
     * @param stage in a study that grows, from 0
     * @param published what others published of such a run, in their own unit
     */
    public record PlannedRun(
            String name,
            Map<String, String> texts,
            OptionalInt psql,
            Map<String, String> before,
            String prepare,
            String finish,
            Optional<Long> rows,
            int stage,
            Map<Figure, Double> published) {

        /** Whether the run has no end but Ctrl-C. */
        boolean isEndless() {
            return psql.isEmpty() && "0".equals(texts.get(ROWS));
        }

        /** Its settings without secrets. */
        Map<String, String> shown() {
            return withoutSecrets(texts);
        }

        /** Those of the load beforehand which differ from its own, without secrets. */
        Map<String, String> shownBefore() {
            Map<String, String> shown = withoutSecrets(before);
            shown.entrySet().removeAll(texts.entrySet());
            return shown;
        }

        Optional<Double> published(Figure figure) {
            return Optional.ofNullable(published.get(figure));
        }
    }

    /**
     * Two runs compared.
     *
     * @param wanted what should come out, in words; may be empty
     * @param published what others found; empty where nobody published it
     */
    public record Ratio(String name, Figure figure, String of, String to, String wanted, Optional<Double> published) {}

    /**
     * A study that grows from stage to stage, until one run is faster than another.
     *
     * @param faster the run that is to become faster, as the file names it
     * @param than the other
     * @param stages what each stage is called
     */
    public record Growth(String faster, String than, List<String> stages) {
        /** What the file's run is called in a stage. */
        String run(String name, int stage) {
            return name + ", " + stages.get(stage);
        }
    }

    /** The number of stages, at least 1. */
    int stages() {
        return growth.map(growing -> growing.stages().size()).orElse(1);
    }

    List<PlannedRun> runs(int stage) {
        return runs.stream().filter(run -> run.stage() == stage).toList();
    }

    /** Whether the stages after this one are not needed, because it has shown what was looked for. */
    boolean endsAfter(int stage, Measurements measurements) {
        return growth.map(growing -> measurements.isAbove(
                        growing.run(growing.faster(), stage),
                        growing.run(growing.than(), stage),
                        Figure.ROWS_PER_SECOND))
                .orElse(false);
    }

    /** Whether every run that is needed has its figures. */
    public boolean isComplete(Measurements measurements) {
        for (int stage = 0; stage < stages(); stage++) {
            for (PlannedRun run : runs(stage)) {
                long good = measurements.of(run.name()).stream()
                        .filter(done -> !done.isFailed())
                        .count();
                if (good < repeats) {
                    return false;
                }
            }
            if (endsAfter(stage, measurements)) {
                return true;
            }
        }
        return true;
    }

    /** Whether the run reads the file that is written beforehand. */
    boolean readsInput(PlannedRun run) {
        return !input.isEmpty()
                && "csv".equals(run.texts().get(AllSettings.SOURCE_KIND.key()))
                && !run.texts().containsKey(AllSettings.SOURCE_PATH.key());
    }

    /**
     * Stands for all that decides what is measured; two studies with the same can go on in each other's folder. It holds no
     * secret.
     */
    String fingerprint() {
        List<String> parts = new ArrayList<>(List.of(Integer.toString(repeats), input.toString()));
        for (PlannedRun run : runs) {
            parts.add(run.name()
                    + run.shown()
                    + run.psql()
                    + run.shownBefore()
                    + run.prepare()
                    + run.finish()
                    + run.rows());
        }
        return String.join("\n", parts);
    }

    private static Map<String, String> withoutSecrets(Map<String, String> texts) {
        Map<String, String> shown = new LinkedHashMap<>(texts);
        shown.remove(AllSettings.PASSWORD.key());
        shown.computeIfPresent(AllSettings.URL.key(), (key, url) -> ConnectionOptions.masked(url));
        return shown;
    }
}
