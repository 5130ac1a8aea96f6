package io.chunkroll.job.report;

import static io.chunkroll.job.report.SyntheticRun.sawtooth;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What else a report is written as: a table for an article, its data, its pictures. */
class ReportFormatsTest {
    private static final String EVIL = "<script>alert(1)</script>";

    @TempDir
    Path folder;

    private final SyntheticRun hypertable = SyntheticRun.hypertable();
    private final SyntheticRun plain = SyntheticRun.plain();

    @Test
    void writesATableForAnArticle() throws IOException {
        String text = write(ReportFormat.MD, plain, hypertable.name("a|b <i>"));
        assertThat(text)
                .startsWith("**a\\|b &lt;i&gt; was 1.25 times as fast as plain**\n\n| run | rows/s, median |")
                .contains(
                        "| a\\|b &lt;i&gt; | 140,000 | × 1.00 | one run | 6.43 | 310 B | 133 ms | 3 | 34% | × 1.52 | the fastest |\n")
                .contains("| plain | 112,000 | × 0.80 | one run | 8.04 |");
    }

    @Test
    void writesThePagesData() throws IOException {
        assertThat(new ObjectMapper().readTree(write(ReportFormat.JSON, plain)).path("runs"))
                .hasSize(1);
    }

    @Test
    void writesTheMainChartAsPictures() throws IOException {
        String svg = write(ReportFormat.SVG, plain.name(EVIL), hypertable);
        assertThat(svg).contains("<svg", "rgb(0,114,178)", "rgb(213,94,0)").doesNotContain("<script");
        Path png = folder.resolve("report.png");
        Report.write(List.of(plain.write(folder), hypertable.write(folder)), png, ReportFormat.PNG, Published.none());
        var image = javax.imageio.ImageIO.read(png.toFile());
        assertThat(image.getWidth()).isEqualTo(2400);
        assertThat(java.util.stream.IntStream.range(0, image.getWidth() * image.getHeight())
                        .map(i -> image.getRGB(i % image.getWidth(), i / image.getWidth()) & 0xffffff)
                        .filter(colour -> colour == 0xd55e00)
                        .count())
                .isGreaterThan(2_000);
    }

    /** As on the page; a plain table has none. */
    @Test
    void picturesNameTheRolls() throws IOException {
        assertThat(texts(write(ReportFormat.SVG, plain, hypertable)))
                .contains("chunk 2", "chunk 3", "chunk 4")
                .doesNotContain("chunk 1", "chunk 5");
        assertThat(texts(write(ReportFormat.SVG, plain))).noneMatch(text -> text.startsWith("chunk"));
    }

    @Test
    void picturesNumberTheRollsWhereNamesWouldCoverEachOther() throws IOException {
        SyntheticRun often =
                SyntheticRun.of("often", 200, 1, sawtooth(5, 1_000, 500)).chunksEvery(5);
        List<String> texts = texts(write(ReportFormat.SVG, often));
        assertThat(texts)
                .contains("2", "3", "39", "40")
                .doesNotContain("41")
                .noneMatch(text -> text.startsWith("chunk"));

        SyntheticRun always =
                SyntheticRun.of("always", 3_000, 1, sawtooth(5, 1_000, 500)).chunksEvery(5);
        List<RollNames> names = RollNames.of(MeasuredRun.of(List.of(always.read(folder), always.read(folder))), 1_000);
        assertThat(names).as("repeats are named once").hasSize(1);
        List<RollNames.Name> numbers = names.get(0).names();
        assertThat(numbers).hasSizeBetween(25, 50);
        for (int i = 1; i < numbers.size(); i++) {
            double apart = (numbers.get(i).at() - numbers.get(i - 1).at()) / 3;
            assertThat(apart).isGreaterThan(7.0 * numbers.get(i - 1).text().length());
        }
    }

    @Test
    void partitionsAreCalledSo() throws IOException {
        SyntheticRun partitioned = SyntheticRun.of("native", 160, 1, sawtooth(40, 180_000, 100_000))
                .chunksEvery(40)
                .fields("\"settings\": {\"sink.layout\": \"partitioned\"}");
        assertThat(texts(write(ReportFormat.SVG, partitioned, hypertable)))
                .contains("partition 2", "partition 4", "chunk 2", "chunk 4");
    }

    private static List<String> texts(String svg) {
        return Pattern.compile("<text[^>]*>([^<]*)</text\\s*>")
                .matcher(svg)
                .results()
                .map(match -> match.group(1).strip())
                .toList();
    }

    private String write(ReportFormat format, SyntheticRun... runs) throws IOException {
        List<Path> folders = new ArrayList<>();
        for (SyntheticRun run : runs) {
            folders.add(run.write(folder));
        }
        Path out = folder.resolve("report." + format.ending());
        Report.write(folders, out, format, Published.none());
        return Files.readString(out);
    }
}
