package io.chunkroll.job.study;

import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.study.Study.PlannedRun;
import io.chunkroll.sources.fleet.FleetFileWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The CSV files that the runs of a study read, one for each number of rows. */
final class StudyInput {
    private static final String PREFIX = "input-";

    private final Study study;
    private final Path folder;
    private final PrintStream out;

    StudyInput(Study study, Path folder, PrintStream out) {
        this.study = study;
        this.folder = folder;
        this.out = out;
    }

    /** The file that the run reads, written if it is not there yet. */
    Path file(PlannedRun run) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>(study.input());
        run.rows().ifPresent(rows -> texts.put(Study.ROWS, rows.toString()));
        Path file = folder.resolve(PREFIX + texts.get(Study.ROWS) + ".csv");
        if (!Files.exists(file)) {
            out.println("Writing " + file);
            new FleetFileWriter(Settings.of(texts).source().fleet().orElseThrow(), file, false)
                    .write((rows, bytes) -> {});
        }
        return file;
    }

    /** They can be written again, and are large. */
    void remove() throws IOException {
        try (DirectoryStream<Path> inputs = Files.newDirectoryStream(folder, PREFIX + "*")) {
            for (Path input : inputs) {
                Files.delete(input);
            }
        }
    }
}
