package io.chunkroll.job.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What runs cost beside the fastest, with figures whose medians, ratios and ranges are known. */
class DifferenceTest {
    @TempDir
    Path folder;

    private final List<RunFolder> runs = new ArrayList<>();

    /** Ten seconds each, so that a thousand rows are a hundred a second. */
    private void run(String name, double rate, long wal, double cpu, long table, String index, double p99)
            throws IOException {
        long rows = Math.round(rate * 10);
        runs.add(SyntheticRun.of(name, 10, 1, second -> rate)
                .fields("""
                "rows_before": 0, "wal_bytes": %d, "server_cpu_seconds": %s, "table_bytes": %d, "index_bytes": %s,
                "flush_ms": {"p99": %s}, "rows_in_table": %d
                """.formatted(wal, cpu, table, index, p99, rows))
                .read(folder));
    }

    @BeforeEach
    void make() throws IOException {
        run("slow", 50, 60_500, 0.25, 50_000, "null", 30);
        run("fast", 100, 110_000, 2, 100_000, "1000000", 20);
        run("slow", 50, 75_000, 0.45, 50_500, "null", 40);
        run("fast", 100, 120_000, 1, 101_000, "1200000", 30);
        run("slow", 50, 65_000, 0.2, 49_500, "null", 50);
        run("fast", 100, 100_000, 3, 99_000, "1100000", 10);
        run("once", 10, 30_000, 0.5, 10_000, "50000", 5);
    }

    private List<Difference> differences(String name) {
        Comparison comparison = Comparison.of(MeasuredRun.of(runs));
        return comparison.differences(comparison.groups().stream()
                .filter(group -> group.name().equals(name))
                .findFirst()
                .orElseThrow());
    }

    @Test
    void aDifferenceBeyondTheSpreadIsMarked() {
        assertThat(differences("slow"))
                .extracting(Difference::verdict)
                .containsExactly(
                        Difference.Verdict.MORE,
                        Difference.Verdict.LESS,
                        Difference.Verdict.WITHIN,
                        Difference.Verdict.UNKNOWN,
                        // The lowest of the one is the highest of the other.
                        Difference.Verdict.WITHIN);
        assertThat(differences("slow"))
                .extracting(Difference::words)
                .containsExactly(
                        "130 B · × 1.18 · more, beyond the spread",
                        "500.00 µs · × 0.25 · less, beyond the spread",
                        "100 B · × 1.00 · within the spread",
                        "–",
                        "40 ms · × 2.00 · within the spread");
    }

    @Test
    void theFastestIsComparedWithNothing() {
        assertThat(differences("fast"))
                .extracting(Difference::words)
                .containsExactly("110 B", "2000.00 µs", "100 B", "1.07 KiB", "20 ms");
    }

    @Test
    void aSingleRunHasNoVerdict() {
        assertThat(differences("once")).extracting(Difference::verdict).containsOnly(Difference.Verdict.SINGLE);
        assertThat(differences("once").get(0).words()).isEqualTo("300 B · × 2.73 · single runs: no spread is known");
    }

    /** One repeat that measured it is a single one, however many there are. */
    @Test
    void onlyRepeatsThatMeasuredAFigureCount() throws IOException {
        run("half", 20, 20_000, 0.1, 20_000, "null", 5);
        run("half", 20, 20_000, 0.1, 20_000, "200000", 5);
        assertThat(differences("half").get(3).verdict()).isEqualTo(Difference.Verdict.SINGLE);
        assertThat(differences("half").get(3).repeats().count()).isEqualTo(1);
        assertThat(differences("half").get(0).verdict()).isEqualTo(Difference.Verdict.WITHIN);
    }

    @Test
    void pageArticleAndDataSayTheSame() throws IOException {
        List<MeasuredRun> measured = MeasuredRun.of(runs);
        assertThat(Report.page(runs, Published.none()))
                .contains("<h3>Beside the fastest</h3>")
                .contains("<th scope=\"row\">WAL a row</th><td>110 B</td>"
                        + "<td>130 B · × 1.18 · more, beyond the spread</td>"
                        + "<td>300 B · × 2.73 · single runs: no spread is known</td>");
        assertThat(MarkdownReport.of(runs, Published.none()))
                .contains("| Median of the repeats | fast | slow | once |\n|---|--:|--:|--:|\n")
                .contains("| WAL a row | 110 B | 130 B · × 1.18 · more, beyond the spread"
                        + " | 300 B · × 2.73 · single runs: no spread is known |\n");
        JsonNode slow = new ObjectMapper()
                .readTree(Report.data(measured, Published.none()).toString())
                .path("comparison")
                .get(1);
        JsonNode wal = slow.path("figures").get(0);
        assertThat(slow.path("name").asText()).isEqualTo("slow");
        assertThat(wal.path("figure").asText()).isEqualTo("wal_bytes_per_row");
        assertThat(wal.path("verdict").asText()).isEqualTo("more");
        assertThat(wal.path("values").toString()).isEqualTo("[121.0,130.0,150.0]");
        assertThat(wal.path("median").asDouble()).isEqualTo(130);
        assertThat(wal.path("ratio").asDouble()).isBetween(1.18, 1.19);
        assertThat(wal.path("spread").asDouble()).isBetween(0.22, 0.23);
        JsonNode index = slow.path("figures").get(3);
        assertThat(index.path("verdict").asText()).isEqualTo("unknown");
        assertThat(index.path("median").isNull()).isTrue();
    }

    @Test
    void oneGroupComparesWithNothing() throws IOException {
        List<RunFolder> fast =
                runs.stream().filter(run -> run.summary().name().equals("fast")).toList();
        assertThat(Report.page(fast, Published.none())).doesNotContain("Beside the fastest");
        assertThat(MarkdownReport.of(fast, Published.none())).doesNotContain("Median of the repeats");
    }
}
