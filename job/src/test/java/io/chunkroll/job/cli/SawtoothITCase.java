package io.chunkroll.job.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.job.report.RunFolder;
import io.chunkroll.job.report.Sawtooth;
import io.chunkroll.server.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What run.json says of the sawtooth after a load whose chunks roll, and after one whose table has none. */
@Timeout(300)
final class SawtoothITCase {
    /** 300 devices, a row each in ten seconds: 18,000 rows a chunk of ten minutes. */
    private static final int ROWS_A_CHUNK = 18_000;

    private static final int ROWS = 3 * ROWS_A_CHUNK;

    @TempDir
    Path folder;

    private JsonNode load(String layout, String rate) throws IOException {
        try (TestDatabase database = TestDatabase.create()) {
            List<String> words = new ArrayList<>(
                    List.of("run", "--run.dir", folder.resolve(layout).toString()));
            words.addAll(List.of("--sink.url", database.url(), "--sink.user", database.user()));
            words.addAll(List.of("--source.rows", "" + ROWS, "--source.devices", "300", "--source.rate", rate));
            words.addAll(
                    List.of("--sink.layout", layout, "--sink.chunk-interval", "10 min", "--sink.batch.age", "200 ms"));
            Cli cli = Cli.run(words.toArray(String[]::new));
            assertThat(cli.exit()).as(cli.all()).isZero();
            assertThat(database.count("SELECT count(*) FROM cpu")).isEqualTo(ROWS);
        }
        return new ObjectMapper()
                .readTree(folder.resolve(layout).resolve("run.json").toFile());
    }

    private static void assertFigure(JsonNode json, String field, OptionalDouble expected, double tolerance) {
        JsonNode figure = json.at("/" + field.replace('.', '/'));
        boolean excused = json.path("not_measured").has(field);
        assertThat(figure.isNumber()).as(field).isEqualTo(expected.isPresent()).isNotEqualTo(excused);
        expected.ifPresent(value -> assertThat(figure.asDouble()).as(field).isCloseTo(value, within(tolerance)));
    }

    @Test
    void aLoadWithRollsHasItsFigures() throws IOException {
        // Two chunks rolled to, each at work for some six seconds.
        JsonNode json = load("hypertable", "3000");
        Sawtooth seen = RunFolder.read(folder.resolve("hypertable")).sawtooth();

        assertThat(json.path("chunk_rolls")).hasSize(3);
        JsonNode sawtooth = json.path("sawtooth");
        assertThat(sawtooth.path("rolls").asInt()).isEqualTo(2).isEqualTo(seen.rolls());
        assertThat(sawtooth.path("period_rows").asLong()).isBetween(1L, (long) ROWS);
        assertThat(sawtooth.path("stall_resolution_ms").asLong()).isPositive();
        assertThat(seen.chunks()).hasSize(3);
        assertThat(seen.chunks().stream().mapToLong(chunk -> chunk.rows()).sum())
                .isCloseTo(ROWS, within(3L));
        assertFigure(json, "sawtooth.drop_median", seen.medianDrop(), 1e-3);
        assertFigure(json, "sawtooth.recovery_median", seen.medianRecovery(), 1e-3);
        assertFigure(json, "sawtooth.period_rows", seen.periodRows(), 1);
        assertThat(sawtooth.path("stall_ms_max").asLong())
                .isEqualTo(Math.round(1e3 * seen.stallSeconds().orElseThrow()));
        assertThat(json.path("rate_slope")
                        .path("rows_per_second_per_million_rows")
                        .isNumber())
                .isTrue();
        assertThat(folder.resolve("hypertable").resolve("report.html"))
                .content()
                .contains("2 chunk rolls");
    }

    @Test
    void aPlainTableHasAReasonAndASlope() throws IOException {
        JsonNode json = load("plain", "5000");

        assertThat(json.has("sawtooth")).isTrue();
        assertThat(json.path("sawtooth").isNull()).isTrue();
        assertThat(json.path("not_measured").path("sawtooth").asText()).isEqualTo("a plain table has no chunks");
        JsonNode slope = json.path("rate_slope");
        assertThat(slope.path("low").asDouble())
                .isLessThanOrEqualTo(
                        slope.path("rows_per_second_per_million_rows").asDouble());
        assertThat(slope.path("high").asDouble())
                .isGreaterThanOrEqualTo(
                        slope.path("rows_per_second_per_million_rows").asDouble());
    }

    @Test
    void rollsTooQuickToTellHaveAReason() throws IOException {
        JsonNode json = load("hypertable", "0");

        assertThat(json.path("chunk_rolls")).hasSize(3);
        assertThat(json.path("sawtooth").isNull())
                .isEqualTo(json.path("not_measured").has("sawtooth"));
        assertThat(json.path("rate_slope").isNull())
                .isEqualTo(json.path("not_measured").has("rate_slope"));
    }
}
