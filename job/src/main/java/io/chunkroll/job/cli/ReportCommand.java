package io.chunkroll.job.cli;

import io.chunkroll.job.report.ClosingWords;
import io.chunkroll.job.report.Report;
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
            description = "Run folders, each with its run.json and timeline.csv.")
    private List<Path> folders;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "The page to write (default: report.html in the folder, or here if there are several).")
    private Path out;

    @Override
    public Integer call() {
        Path page =
                out != null ? out : folders.size() == 1 ? folders.get(0).resolve(Report.FILE) : Path.of(Report.FILE);
        Report.write(folders, page);
        System.out.println(ClosingWords.of(folders.stream().map(RunFolder::read).toList()));
        System.out.println("Report: " + page.toAbsolutePath());
        return 0;
    }
}
