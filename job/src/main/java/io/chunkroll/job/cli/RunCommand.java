package io.chunkroll.job.cli;

import io.chunkroll.job.report.Report;
import io.chunkroll.job.run.Run;
import io.chunkroll.job.run.RunResult;
import io.chunkroll.job.run.StopRequest;
import io.chunkroll.job.run.Target;
import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** One load in a local MiniCluster. */
@Command(
        name = "run",
        description = "Loads rows once, on this machine, and writes a run folder.",
        customSynopsis = "chunkroll run [--config FILE] [--key value]…",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
    @Unmatched
    private List<String> words = new ArrayList<>();

    @Spec
    void spec(CommandSpec spec) {
        SettingsHelp.add(spec, AllSettings.list(), true);
    }

    @Override
    public Integer call() throws Exception {
        Settings settings = Settings.ofLocalRun(words);
        try (Live live = Live.open(settings.live(), System.out)) {
            return run(settings, live);
        }
    }

    private static int run(Settings settings, Live live) throws Exception {
        Path folder = RunFolders.make(settings);
        Logs.into(folder);
        RunResult result;
        try (Target target = Target.open(settings, System.out::println)) {
            StopRequest stop = StopRequest.onSignals();
            result = new Run(settings, target, folder, Optional.empty(), System.out, stop, live.onlooker()).execute();
        }
        Path report = folder.resolve(Report.FILE);
        Report.write(List.of(folder), report);
        Outcomes.say(result, System.out);
        System.out.println("Report: " + report);
        return result.outcome().exitCode();
    }
}
