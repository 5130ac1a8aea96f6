package io.chunkroll.job.study;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.job.settings.SettingsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** The measurements as they are kept in a study's folder, so that one that was broken off can go on. */
final class StudyResults {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Study study;
    private final Path folder;
    /** What decides whether measurements of another attempt can stand beside those of this one. */
    private final Path plan;
    /** One measurement a line, as JSON. */
    private final Path results;

    StudyResults(Study study, Path folder) {
        this.study = study;
        this.folder = folder;
        plan = folder.resolve("plan.txt");
        results = folder.resolve("results.jsonl");
    }

    /**
     * Takes over what is there of an earlier attempt; runs that failed are made again.
     *
     * @return whether there was one
     * @throws SettingsException if that was another study, of other runs, rows, repeats or settings
     */
    boolean begin(Measurements measurements) throws IOException {
        if (!Files.exists(plan) && !Files.exists(results)) {
            Files.writeString(plan, study.fingerprint());
        } else if (!Files.exists(plan) || !Files.readString(plan).equals(study.fingerprint())) {
            throw new SettingsException(
                    List.of(
                            "--resume: the study in " + folder
                                    + " has other runs, repeats, numbers of rows or settings: give the command that began it, and --resume"));
        }
        if (!Files.exists(results)) {
            return false;
        }
        for (String line : Files.readAllLines(results)) {
            Measurement done = JSON.readValue(line, Measurement.class);
            if (!done.isFailed()) {
                measurements.add(done);
            }
        }
        return true;
    }

    void append(Measurement measurement) throws IOException {
        Files.writeString(
                results,
                JSON.writeValueAsString(measurement) + '\n',
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
