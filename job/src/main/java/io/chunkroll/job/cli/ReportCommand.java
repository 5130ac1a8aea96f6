package io.chunkroll.job.cli;

import io.chunkroll.job.report.ClosingWords;
import io.chunkroll.job.report.GivenFolders;
import io.chunkroll.job.report.Published;
import io.chunkroll.job.report.Report;
import io.chunkroll.job.report.ReportFormat;
import io.chunkroll.job.report.RunFolder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One report over any number of run folders. */
@Command(name = "report", description = "Writes one report over run folders.", mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            paramLabel = "DIR",
            description =
                    "Run folders, each with its run.json and timeline.csv, or folders of studies, which stand for all of their runs.")
    private List<Path> folders;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "The file to write (default: report.html in the folder, or here if there are several).")
    private Path out;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "html",
            description =
                    "html: the page; md: a table for an issue or an article; json: the page's data; svg, png: the main chart"
                            + " (default: html).")
    private ReportFormat format;

    @Override
    public Integer call() {
        String name = "report." + format.ending();
        Path page = out != null ? out : folders.size() == 1 ? folders.get(0).resolve(name) : Path.of(name);
        List<RunFolder> runs = GivenFolders.read(folders);
        Report.write(runs, Published.of(runs), page, format);
        System.out.println(ClosingWords.of(runs));
        System.out.println("Report: " + page.toAbsolutePath());
        return 0;
    }
}
