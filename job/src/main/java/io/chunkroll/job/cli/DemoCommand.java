package io.chunkroll.job.cli;

import io.chunkroll.job.report.ClosingWords;
import io.chunkroll.job.report.Report;
import io.chunkroll.job.report.RunFolder;
import io.chunkroll.job.run.Run;
import io.chunkroll.job.run.RunResult;
import io.chunkroll.job.run.StopRequest;
import io.chunkroll.job.run.Target;
import io.chunkroll.job.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * The sawtooth, on any machine, without an argument: a fleet whose hot index pages outgrow the buffers is loaded into a plain table and
 * into a hypertable, one after the other.
 *
 * <p>20,000 hosts keep one hot leaf page of 8 kB each in the (hostname, time) index, 160 MB against 32 MB of buffers; a chunk takes 200
 * rows of each host. Batches are of the ordinary size and in the order of time, as most loaders send them.
 */
@Command(
        name = "demo",
        description =
                "Shows the chunk-roll sawtooth: loads generated rows into a plain table and a hypertable of the embedded server.",
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
    private static final List<String> LAYOUTS = List.of("hypertable", "plain");

    private static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("source.kind", "generated"),
            Map.entry("source.dataset", "cpu"),
            Map.entry("source.rows", "12000000"),
            Map.entry("source.devices", "20000"),
            Map.entry("sink.create", "recreate"),
            Map.entry("sink.chunk-interval", "2000 s"),
            Map.entry("sink.batch.rows", "10000"),
            Map.entry("sink.sort", "false"),
            Map.entry("job.parallelism", "2"),
            Map.entry("server.shared_buffers", "32MB"),
            Map.entry("server.max_wal_size", "1GB"),
            Map.entry("server.checkpoint_timeout", "1min"),
            Map.entry("server.synchronous_commit", "off"));

    @Override
    public Integer call() throws Exception {
        Path folder = RunFolders.makeNew("demo");
        Logs.into(folder);
        StopRequest stop = StopRequest.onSignals();
        List<RunResult> results = new ArrayList<>();
        System.out.println(
                "The demo loads 12 million rows of 20,000 hosts twice, into a hypertable with chunks of 4 million rows and into"
                        + " a plain table. That takes some minutes.");
        try (Target target = Target.open(settings("plain"), System.out::println)) {
            for (String layout : LAYOUTS) {
                Path run = RunFolders.makeChosen(folder.resolve(layout));
                results.add(new Run(settings(layout), target, run, Optional.of(layout), System.out, stop).execute());
                Outcomes.say(results.get(results.size() - 1), System.out);
                if (results.get(results.size() - 1).outcome() != RunResult.Outcome.FINISHED) {
                    break;
                }
            }
        }
        return close(folder, results);
    }

    private static int close(Path folder, List<RunResult> results) {
        List<Path> folders = results.stream().map(RunResult::folder).toList();
        Path report = folder.resolve(Report.FILE);
        Report.write(folders, report);
        System.out.println();
        System.out.println(ClosingWords.of(folders.stream().map(RunFolder::read).toList()));
        System.out.println();
        System.out.println("Report: " + report.toAbsolutePath());
        System.out.println("The tables demo_plain and demo_hypertable stay: chunkroll db psql");
        return results.get(results.size() - 1).outcome().exitCode();
    }

    private static Settings settings(String layout) {
        Map<String, String> texts = new LinkedHashMap<>(SETTINGS);
        texts.put("sink.layout", layout);
        texts.put("sink.table", "demo_" + layout);
        return Settings.ofLocalRun(texts);
    }
}
