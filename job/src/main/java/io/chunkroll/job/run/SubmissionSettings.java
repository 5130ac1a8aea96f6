package io.chunkroll.job.run;

import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.SettingsException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings of a load that is submitted from here, checked before anything is sent.
 *
 * @param texts those that were given, by key
 */
public record SubmissionSettings(Map<String, String> texts, Settings settings) {
    /** They are about the run folder, which is here. */
    private static final Set<String> STAY_HERE =
            Set.of(AllSettings.RUN_DIR.key(), AllSettings.WATCH_AFTER.key(), AllSettings.LIVE.key());

    private static final Pattern PASSWORD_IN_URL = Pattern.compile("[?&]password=", Pattern.CASE_INSENSITIVE);

    /**
     * Reads them.
     *
     * @param faults those found already
     * @throws SettingsException with every fault there is
     */
    public static SubmissionSettings of(Map<String, String> texts, List<String> faults) {
        List<String> all = new ArrayList<>(faults);
        addFaults(texts, all);
        return new SubmissionSettings(texts, Settings.ofClusterLoad(texts, all));
    }

    private static void addFaults(Map<String, String> texts, List<String> faults) {
        boolean inUrl = PASSWORD_IN_URL
                .matcher(texts.getOrDefault(AllSettings.URL.key(), ""))
                .find();
        if (inUrl || texts.containsKey(AllSettings.PASSWORD.key())) {
            faults.add(
                    (inUrl ? AllSettings.URL : AllSettings.PASSWORD).key()
                            + ": a password would be sent as one of the job's words, which others can see: give it as CHUNKROLL_PASSWORD, or"
                            + " in .pgpass, to the cluster's JobManager, where the job's main method runs, and to this command");
        }
        if ("bulk".equals(texts.get(AllSettings.LOAD.key()))) {
            faults.add(AllSettings.LOAD.key()
                    + ": bulk must await the end of the job where its main method runs, which a job submitted through REST does not:"
                    + " use 'flink run' without -d, or live");
        }
    }

    /** The same with so many subtasks. */
    SubmissionSettings withParallelism(int subtasks) {
        Map<String, String> more = new LinkedHashMap<>(texts);
        more.put(AllSettings.PARALLELISM.key(), String.valueOf(subtasks));
        return of(more, List.of());
    }

    boolean hasParallelism() {
        return texts.containsKey(AllSettings.PARALLELISM.key());
    }

    /** The words for the job's main method. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        texts.forEach((key, text) -> {
            if (!STAY_HERE.contains(key)) {
                words.add("--" + key);
                words.add(text);
            }
        });
        return words;
    }
}
