package io.chunkroll.job.cli;

import io.chunkroll.job.report.ClosingWords;
import io.chunkroll.job.report.Report;
import io.chunkroll.job.report.RunFolder;
import io.chunkroll.job.run.Run;
import io.chunkroll.job.run.RunResult;
import io.chunkroll.job.run.StopRequest;
import io.chunkroll.job.run.Target;
import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.SettingsException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The sawtooth, on any machine, without an argument: a fleet whose hot index pages outgrow the buffers is loaded into a hypertable and
 * into a plain table, and then into a hypertable again, by batches that follow the fleet.
 *
 * <p>20,000 hosts keep one hot leaf page of 8 kB each in the (hostname, time) index, 160 MB against 32 MB of buffers; a chunk takes 200
 * rows of each host. The batches of the first two are of the ordinary size and in the order of time, as most loaders send them; those of
 * the third have ten rows of each host, sorted, as this program's have by default.
 */
@Command(
        name = "demo",
        description =
                "Shows the chunk-roll sawtooth: loads generated rows into a plain table and a hypertable of the embedded server.",
        mixinStandardHelpOptions = true)
final class DemoCommand implements Callable<Integer> {
    private static final List<Curve> CURVES = List.of(
            new Curve("hypertable", "hypertable", Map.of("sink.batch.rows", "10000", "sink.sort", "false")),
            new Curve("plain", "plain", Map.of("sink.batch.rows", "10000", "sink.sort", "false")),
            new Curve("hypertable-auto", "hypertable", Map.of("sink.batch.rows", "auto", "sink.sort", "true")));

    private static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("source.kind", "generated"),
            Map.entry("source.dataset", "cpu"),
            Map.entry("source.rows", "12000000"),
            Map.entry("source.devices", "20000"),
            Map.entry("sink.create", "recreate"),
            Map.entry("sink.chunk-interval", "2000 s"),
            Map.entry("job.parallelism", "2"),
            Map.entry("server.shared_buffers", "32MB"),
            Map.entry("server.max_wal_size", "1GB"),
            Map.entry("server.checkpoint_timeout", "1min"),
            Map.entry("server.synchronous_commit", "off"));

    /** One of the loads that are compared. */
    private record Curve(String name, String layout, Map<String, String> more) {
        private Settings settings() {
            Map<String, String> texts = new LinkedHashMap<>(SETTINGS);
            texts.put("sink.layout", layout);
            texts.put("sink.table", "demo_" + name.replace('-', '_'));
            texts.putAll(more);
            return Settings.ofLocalRun(texts);
        }
    }

    @Option(
            names = "--live",
            paramLabel = "PORT|HOST:PORT",
            description =
                    "Serves the report while the loads go on, at this port (0: any free one) of this machine alone, or of HOST.")
    private String live;

    @Override
    public Integer call() throws Exception {
        try (Live page = Live.open(address(), System.out)) {
            return call(page);
        }
    }

    private Optional<InetSocketAddress> address() {
        try {
            return Optional.ofNullable(live).map(AllSettings.LIVE.parser()::parse);
        } catch (IllegalArgumentException e) {
            throw new SettingsException(List.of("--live \"" + live + "\": " + e.getMessage()));
        }
    }

    private static int call(Live page) throws Exception {
        Path folder = RunFolders.makeNew("demo");
        Logs.into(folder);
        StopRequest stop = StopRequest.onSignals();
        List<RunResult> results = new ArrayList<>();
        System.out.println(
                "The demo loads 12 million rows of 20,000 hosts three times: into a hypertable with chunks of 4 million rows"
                        + " and into a plain table, by ordinary batches, and into a hypertable by batches that follow the"
                        + " fleet. That takes some minutes.");
        try (Target target = Target.open(CURVES.get(0).settings(), System.out::println)) {
            for (Curve curve : CURVES) {
                Path run = RunFolders.makeChosen(folder.resolve(curve.name()));
                Optional<String> name = Optional.of(curve.name());
                results.add(new Run(curve.settings(), target, run, name, System.out, stop, page.onlooker()).execute());
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
        System.out.println("The tables demo_hypertable, demo_plain and demo_hypertable_auto stay: chunkroll db psql");
        return results.get(results.size() - 1).outcome().exitCode();
    }
}
