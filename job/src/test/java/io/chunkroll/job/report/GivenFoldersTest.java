package io.chunkroll.job.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports on studies that were made before, and what the studies kept of others' figures. */
class GivenFoldersTest {
    private static final Published PUBLISHED =
            new Published("By <them>, on |1| core.", List.of(new Published.Entry("a / b", "1.50", "2.00")));

    @TempDir
    Path folder;

    private Path study;

    @BeforeEach
    void makeStudy() throws IOException {
        study = Files.createDirectory(folder.resolve("first"));
        SyntheticRun.of("b", 10, 1, second -> 200)
                .fields("\"started_at\": \"2026-01-02T03:00:00Z\"")
                .write(study);
        SyntheticRun.of("a", 10, 1, second -> 100)
                .fields("\"started_at\": \"2026-01-02T04:00:00Z\"")
                .write(study);
        Files.createDirectory(study.resolve("no-run"));
    }

    @Test
    void aStudyStandsForItsRunsInTheOrderOfTheirMaking() throws IOException {
        Path single = SyntheticRun.of("a", 10, 1, second -> 100).write(folder);
        assertThat(GivenFolders.read(List.of(single, study)))
                .extracting(run -> run.summary().name())
                .containsExactly("a", "b", "a");
    }

    /** On two machines, or by two versions: no repeats of each other. */
    @Test
    void runsOfOneNameAreToldApartByTheirStudies() throws IOException {
        Path other = Files.createDirectories(folder.resolve("second"));
        SyntheticRun.of("a", 10, 1, second -> 100).write(other);
        Path same = Files.createDirectories(folder.resolve("elsewhere/first"));
        SyntheticRun.of("a", 10, 1, second -> 100).write(same);

        assertThat(GivenFolders.read(List.of(study, other)))
                .extracting(run -> run.summary().name())
                .containsExactly("b", "a, first", "a, second");
        assertThat(GivenFolders.read(List.of(study, same)))
                .extracting(run -> run.summary().name())
                .containsExactly("b", "a, " + study, "a, " + same);
    }

    @Test
    void aFolderWithoutRunsIsNone() {
        assertThatThrownBy(() -> GivenFolders.read(List.of(study.resolve("no-run"))))
                .isInstanceOf(ReportException.class)
                .hasMessageContaining("has no run.json and no timeline.csv");
        assertThatThrownBy(() -> GivenFolders.read(List.of(study.resolve("none"))))
                .isInstanceOf(ReportException.class)
                .hasMessageContaining("is not a folder");
    }

    @Test
    void aReportMadeLaterHasThePublishedFiguresOfTheStudysOwn() throws IOException {
        PUBLISHED.keep(study);

        for (Path given : List.of(study, study.resolve("a"))) {
            List<RunFolder> runs = GivenFolders.read(List.of(given));
            assertThat(Published.of(runs)).isEqualTo(PUBLISHED);
            assertThat(Report.page(runs, Published.of(runs)))
                    .isEqualTo(Report.page(runs, PUBLISHED))
                    .contains("<th scope=\"row\">a / b</th><td>1.50</td><td>2.00</td>", "By &lt;them&gt;");
            assertThat(write(runs, ReportFormat.MD))
                    .contains("| a / b | 1.50 | 2.00 |\n\nRates of different machines", "By &lt;them&gt;, on \\|1\\|");
            assertThat(new ObjectMapper()
                            .readTree(write(runs, ReportFormat.JSON))
                            .at("/published/0/theirs")
                            .asText())
                    .isEqualTo("2.00");
        }
    }

    @Test
    void figuresOfSeveralStudiesSayOfWhich() throws IOException {
        Path other = Files.createDirectories(folder.resolve("second"));
        Path run = SyntheticRun.of("a", 10, 1, second -> 100).write(other);
        PUBLISHED.keep(study);
        new Published("By others.", List.of(new Published.Entry("c", "3", "4"))).keep(other);

        Published both = Published.of(GivenFolders.read(List.of(study, run)));
        assertThat(both.figures())
                .containsExactly(
                        new Published.Entry("first: a / b", "1.50", "2.00"),
                        new Published.Entry("second: c", "3", "4"));
        assertThat(both.source()).isEqualTo("By <them>, on |1| core. By others.");
    }

    @Test
    void whereNobodyPublishedFiguresThereAreNone() throws IOException {
        PUBLISHED.keep(study);
        Published.none().keep(study);

        assertThat(study.resolve(Published.FILE)).doesNotExist();
        List<RunFolder> runs = GivenFolders.read(List.of(study));
        assertThat(Published.of(runs)).isEqualTo(Published.none());
        assertThat(Report.page(runs, Published.of(runs))).doesNotContain("Published figures");
        assertThat(write(runs, ReportFormat.MD)).doesNotContain("published");
    }

    @Test
    void aDamagedFileIsNamed() throws IOException {
        for (String text : List.of("{\"figures\": [", "[1]", "null", "")) {
            Files.writeString(study.resolve(Published.FILE), text);
            assertThatThrownBy(() -> Published.of(GivenFolders.read(List.of(study))))
                    .as(text)
                    .isInstanceOf(ReportException.class)
                    .hasMessageContaining(study.resolve(Published.FILE).toString());
        }
        Files.writeString(study.resolve(Published.FILE), "{\"newer\": 1, \"figures\": [{\"of\": \"a\", \"more\": 2}]}");
        assertThat(Published.of(GivenFolders.read(List.of(study))).figures())
                .containsExactly(new Published.Entry("a", "–", "–"));
    }

    private String write(List<RunFolder> runs, ReportFormat format) throws IOException {
        Path out = folder.resolve("out." + format.ending());
        Report.write(runs, Published.of(runs), out, format);
        return Files.readString(out);
    }
}
