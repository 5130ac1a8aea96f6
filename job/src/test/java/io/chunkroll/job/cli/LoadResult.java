package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.job.report.Timeline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A load that has ended.
 *
 * @param cli what was said, and the exit code
 * @param folder its run folder
 */
record LoadResult(Cli cli, Path folder) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Asserts that it ended with this code. */
    LoadResult ended(int exit) {
        assertThat(cli.exit()).as(cli.all()).isEqualTo(exit);
        return this;
    }

    /** Asserts that all rows were loaded. */
    LoadResult succeeded() {
        return ended(0);
    }

    /** Everything that was said. */
    String said() {
        return cli.all();
    }

    /** {@code run.json}. */
    JsonNode json() {
        return json(folder);
    }

    /** {@code run.json} of a run folder. */
    static JsonNode json(Path folder) {
        try {
            return JSON.readTree(folder.resolve("run.json").toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Timeline timeline() {
        return Timeline.read(folder);
    }

    Path report() {
        return folder.resolve("report.html");
    }

    /** The rows that were set aside, by their place in the file. */
    List<JsonNode> rejects() {
        List<JsonNode> rejects = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder.resolve("rejects"))) {
            for (Path part : files.toList()) {
                assertThat(part.getFileName().toString()).startsWith("rejects-").endsWith(".jsonl");
                for (String line : Files.readAllLines(part)) {
                    rejects.add(JSON.readTree(line));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        rejects.sort(Comparator.comparingLong(reject -> reject.path("offset").asLong()));
        return rejects;
    }
}
