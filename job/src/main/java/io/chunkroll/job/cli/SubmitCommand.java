package io.chunkroll.job.cli;

import io.chunkroll.job.cluster.FlinkRest;
import io.chunkroll.job.report.Report;
import io.chunkroll.job.run.RunException;
import io.chunkroll.job.run.RunResult;
import io.chunkroll.job.run.RunningLoads;
import io.chunkroll.job.run.StopRequest;
import io.chunkroll.job.run.Submission;
import io.chunkroll.job.run.SubmissionSettings;
import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.SettingTexts;
import io.chunkroll.job.settings.SettingsException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** One load on a cluster. */
@Command(
        name = "submit",
        description = {
            "Loads rows on a Flink cluster: uploads the job jar, runs it, follows it, and writes a run folder as 'run' does.",
            "Ctrl-C stops the job with a savepoint, everything committed; a second one leaves it to itself.",
            "Paths are the cluster's. A password is read from CHUNKROLL_PASSWORD or .pgpass, there by the JobManager. Without"
                    + " job.parallelism the job takes the cluster's free slots."
        },
        customSynopsis = {
            "chunkroll submit --cluster URL [--detach] [--from DIR] [--config FILE] [--key value]…",
            "       chunkroll submit --cluster URL --savepoint DIR [--job ID]"
        },
        mixinStandardHelpOptions = true)
final class SubmitCommand implements Callable<Integer> {
    @Option(names = "--cluster", paramLabel = "URL", description = "Where Flink's web interface is.")
    private Optional<String> cluster = Optional.empty();

    @Option(names = "--detach", description = "Return when the job is submitted.")
    private boolean detach;

    @Option(names = "--from", paramLabel = "DIR", description = "Go on from this savepoint, or the newest one in it.")
    private Optional<String> from = Optional.empty();

    @Option(
            names = "--savepoint",
            paramLabel = "DIR",
            description = "Stop the load that is running, with a savepoint in this folder, which all machines share.")
    private Optional<String> savepoint = Optional.empty();

    @Option(names = "--job", paramLabel = "ID", description = "Which load, where several are running.")
    private Optional<String> job = Optional.empty();

    @Unmatched
    private List<String> words = new ArrayList<>();

    @Spec
    void spec(CommandSpec spec) {
        SettingsHelp.add(spec, AllSettings.list(), false);
    }

    @Override
    public Integer call() throws Exception {
        List<String> faults = new ArrayList<>();
        Optional<URI> address = address(faults);
        savepoint.ifPresent(folder -> checkStop(folder, faults));
        if (savepoint.isEmpty() && job.isPresent()) {
            faults.add("--job: has a meaning only with --savepoint");
        }
        Map<String, String> texts = SettingTexts.of(words, faults);
        if (savepoint.isPresent()) {
            if (!faults.isEmpty()) {
                throw new SettingsException(faults);
            }
            return stop(new FlinkRest(address.orElseThrow()));
        }
        SubmissionSettings settings = SubmissionSettings.of(texts, faults);
        FlinkRest rest = new FlinkRest(address.orElseThrow());
        Submission submission = new Submission(rest, settings, from.map(Savepoints::newest), System.out);
        return detach ? detached(rest, submission) : followed(submission);
    }

    private Optional<URI> address(List<String> faults) {
        if (cluster.isEmpty()) {
            faults.add("--cluster: is needed, as in --cluster http://jobmanager.example:8081");
            return Optional.empty();
        }
        try {
            URI address = URI.create(cluster.get());
            if (List.of("http", "https").contains(String.valueOf(address.getScheme())) && address.getHost() != null) {
                return Optional.of(address);
            }
        } catch (IllegalArgumentException e) {
            // Told below.
        }
        faults.add("--cluster \"" + cluster.get() + "\": is no URL such as http://jobmanager.example:8081");
        return Optional.empty();
    }

    private void checkStop(String folder, List<String> faults) {
        if (!folder.startsWith("/") && !folder.matches("[A-Za-z][A-Za-z0-9+.-]*:.+")) {
            faults.add("--savepoint \"" + folder + "\": is neither an absolute path nor a URI");
        }
        if (detach || from.isPresent() || !words.isEmpty()) {
            faults.add("--savepoint: stops a load that is running; settings, --detach and --from belong to a new one");
        }
    }

    private int stop(FlinkRest rest) {
        String running = RunningLoads.find(rest, job);
        String path = rest.stopWithSavepoint(running, savepoint);
        System.out.println("Job " + running + " is stopped, everything it read is committed. Savepoint: " + path);
        System.out.println(
                "Go on: chunkroll submit --cluster " + rest.address() + " --from " + path + " [--key value]…");
        return 0;
    }

    private static int detached(FlinkRest rest, Submission submission) {
        String id = submission.start(JobJar.find());
        System.out.println("Job " + id + " is submitted to " + rest.address());
        System.out.println("Watch: " + rest.address() + "#/job/running/" + id);
        System.out.println("Stop:  chunkroll submit --cluster " + rest.address() + " --job " + id + " --savepoint DIR");
        return 0;
    }

    private static int followed(Submission submission) throws Exception {
        try (Live live = Live.open(submission.settings().live(), System.out)) {
            return followed(submission, live);
        }
    }

    private static int followed(Submission submission, Live live) throws Exception {
        Path folder = RunFolders.make(submission.settings());
        Logs.into(folder);
        RunResult result = submission.run(JobJar.find(), folder, StopRequest.onSignals(), live.onlooker());
        Path report = folder.resolve(Report.FILE);
        Report.write(List.of(folder), report);
        Outcomes.say(result, System.out);
        System.out.println("Report: " + report);
        return result.outcome().exitCode();
    }

    /** The jar that goes to the cluster. */
    private static final class JobJar {
        private static Path find() {
            Path jar = Path.of(System.getProperty("chunkroll.home", "."), "job", "target", "chunkroll-job.jar");
            if (!Files.isRegularFile(jar)) {
                throw new RunException(
                        "There is no job jar " + jar.toAbsolutePath() + ": build it with mvn -DskipTests package");
            }
            return jar;
        }
    }
}
