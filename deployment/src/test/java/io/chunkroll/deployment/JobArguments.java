package io.chunkroll.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.SettingsException;
import java.util.ArrayList;
import java.util.List;

/** A job's arguments as the job itself will read them. */
final class JobArguments {
    private JobArguments() {}

    /** @param job the {@code spec.job} of a FlinkDeployment or a FlinkSessionJob */
    static List<String> faults(JsonNode job) {
        try {
            Settings settings = settings(job);
            List<String> faults = new ArrayList<>();
            int parallelism = job.path("parallelism").asInt();
            if (settings.job().parallelism() != parallelism) {
                faults.add("job.parallelism is " + settings.job().parallelism() + " in the arguments, but the job has "
                        + parallelism);
            }
            if (settings.texts().containsKey("sink.password")) {
                faults.add("sink.password: belongs into a Secret");
            }
            return faults;
        } catch (SettingsException e) {
            return e.faults();
        }
    }

    /** @throws SettingsException with every fault */
    static Settings settings(JsonNode job) {
        List<String> words = new ArrayList<>();
        job.path("args").forEach(word -> words.add(word.asText()));
        return Settings.ofClusterLoad(words);
    }
}
