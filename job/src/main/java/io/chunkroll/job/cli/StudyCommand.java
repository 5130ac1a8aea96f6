package io.chunkroll.job.cli;

import io.chunkroll.job.report.GivenFolders;
import io.chunkroll.job.report.Published;
import io.chunkroll.job.report.Report;
import io.chunkroll.job.report.ReportFormat;
import io.chunkroll.job.report.RunFolder;
import io.chunkroll.job.run.StopRequest;
import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.SettingTexts;
import io.chunkroll.job.settings.SettingsException;
import io.chunkroll.job.study.Measurements;
import io.chunkroll.job.study.Study;
import io.chunkroll.job.study.StudyFile;
import io.chunkroll.job.study.StudyRunner;
import io.chunkroll.job.study.StudyTable;
import io.chunkroll.sinks.table.ConnectionOptions;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;

/** Many runs, and what they say together. */
@Command(
        name = "study",
        description = {
            "Makes the runs of a study side by side, each as often as the study says, and prints every one, their medians and ratios.",
            "Settings given here win over the study's in all of its runs."
        },
        customSynopsis = "chunkroll study NAME|FILE [--scale F] [--repeat N] [--resume DIR] [--key value]…",
        mixinStandardHelpOptions = true)
final class StudyCommand implements Callable<Integer> {
    private static final int STOPPED = 130;

    @Parameters(
            index = "0",
            paramLabel = "NAME|FILE",
            description = "A study of the folder studies/, or a file of your own.")
    private String study;

    @Option(
            names = "--scale",
            paramLabel = "F",
            defaultValue = "1",
            description = "All numbers of rows times F; small fleets where few rows are left.")
    private double scale;

    @Option(
            names = "--repeat",
            paramLabel = "N",
            description = "How often each run is made, instead of the study's number.")
    private Integer repeat;

    @Option(names = "--resume", paramLabel = "DIR", description = "Go on in the folder of a study that was broken off.")
    private Path resume;

    @Unmatched
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        List<String> faults = new ArrayList<>();
        Map<String, String> overrides = SettingTexts.of(words, faults);
        String chosen = overrides.remove(AllSettings.RUN_DIR.key());
        Optional<InetSocketAddress> address = liveAddress(overrides, faults);
        if (!(scale > 0)) {
            faults.add("--scale: must be more than 0");
        }
        if (resume != null && chosen != null) {
            faults.add("run.dir: is not for --resume, which goes on in the folder that is there");
        }
        if (resume != null && !Files.isDirectory(resume)) {
            faults.add("--resume: there is no folder " + resume);
        }
        if (repeat != null && repeat < 1) {
            faults.add("--repeat: must be at least 1");
        }
        if (!faults.isEmpty()) {
            throw new SettingsException(faults);
        }
        Study plan =
                StudyFile.read(file(), scale, repeat == null ? OptionalInt.empty() : OptionalInt.of(repeat), overrides);
        Path folder = resume != null
                ? resume
                : chosen == null ? RunFolders.makeNew("study-" + plan.name()) : RunFolders.makeChosen(Path.of(chosen));
        try (Live live = Live.open(address, System.out)) {
            return execute(plan, folder, overrides, live);
        }
    }

    /** Taken out, as it is one for all runs. */
    private static Optional<InetSocketAddress> liveAddress(Map<String, String> overrides, List<String> faults) {
        String text = overrides.remove(AllSettings.LIVE.key());
        try {
            return Optional.ofNullable(text).map(AllSettings.LIVE.parser()::parse);
        } catch (IllegalArgumentException e) {
            faults.add(AllSettings.LIVE.key() + " \"" + text + "\": " + e.getMessage());
            return Optional.empty();
        }
    }

    private int execute(Study plan, Path folder, Map<String, String> overrides, Live live) throws IOException {
        Logs.into(folder);
        System.out.println(plan.question());
        plan.notes().forEach(System.out::println);
        System.out.printf("%d runs, %d times each, in %s%n", plan.runs().size(), plan.repeats(), folder);
        StopRequest stop = StopRequest.onSignals();
        Measurements measurements = new StudyRunner(plan, folder, System.out, stop, live.onlooker()).execute();
        List<RunFolder> runs = GivenFolders.inside(folder);
        StudyTable table = new StudyTable(
                plan, measurements, runs.stream().findFirst().map(RunFolder::summary), command(overrides));
        Files.writeString(folder.resolve("study.md"), table.markdown());
        table.published().keep(folder);
        System.out.println();
        System.out.println(table.markdown());
        if (!runs.isEmpty()) {
            Path report = folder.resolve(Report.FILE);
            Report.write(runs, Published.of(runs), report, ReportFormat.HTML);
            System.out.println("Report: " + report);
        }
        if (stop.isRequested() && !plan.isComplete(measurements)) {
            System.out.println(
                    "Broken off; the same command with --resume " + folder + " instead of a run.dir goes on");
            return STOPPED;
        }
        if (stop.isRequested()) {
            return STOPPED;
        }
        return plan.isComplete(measurements) ? 0 : 1;
    }

    /** As it was given, but for what is secret or merely says where results go. */
    private String command(Map<String, String> overrides) {
        StringBuilder command = new StringBuilder("./chunkroll study " + study);
        if (scale != 1) {
            command.append(" --scale ").append(new BigDecimal(String.valueOf(scale)).toPlainString());
        }
        if (repeat != null) {
            command.append(" --repeat ").append(repeat);
        }
        overrides.forEach((key, value) -> {
            if (!key.equals(AllSettings.PASSWORD.key())) {
                String shown = key.equals(AllSettings.URL.key()) ? ConnectionOptions.masked(value) : value;
                command.append(" --").append(key).append(' ').append(shown.contains(" ") ? '"' + shown + '"' : shown);
            }
        });
        return command.toString();
    }

    private Path file() {
        Path named = Path.of(System.getProperty("chunkroll.home", "."), "studies", study + ".yaml");
        return Files.exists(named) ? named : Path.of(study);
    }
}
