package io.chunkroll.job.study;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.chunkroll.job.report.RunFolder;
import io.chunkroll.job.run.Failures;
import io.chunkroll.job.run.Run;
import io.chunkroll.job.run.RunResult;
import io.chunkroll.job.run.StopRequest;
import io.chunkroll.job.run.Target;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.Settings.SinkKind;
import io.chunkroll.job.settings.SettingsException;
import io.chunkroll.job.study.Study.PlannedRun;
import io.chunkroll.server.ServerUsage;
import io.chunkroll.sinks.table.TableName;
import io.chunkroll.sources.fleet.FleetFileWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.flink.util.FileUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the runs of a study, one after the other, each into a table made anew after a CHECKPOINT, in an order that turns from repeat to
 * repeat. Each measurement is kept as soon as it is there, so that a study that was broken off can go on.
 */
public final class StudyRunner {
    /** One measurement a line, as JSON. */
    private static final String RESULTS = "results.jsonl";

    /** What decides whether measurements of another attempt can stand beside those of this one. */
    private static final String PLAN = "plan.txt";

    private static final String INPUT = "input-";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Logger LOG = LoggerFactory.getLogger(StudyRunner.class);

    private final Study study;
    private final Path folder;
    private final PrintStream out;
    private final StopRequest stop;
    private final List<Measurement> measurements = new ArrayList<>();
    private Optional<Target> open = Optional.empty();
    /** What the open target was asked for. */
    private List<Object> opened = List.of();

    /** @param folder the study's own; what is in it of an earlier attempt is not made again */
    public StudyRunner(Study study, Path folder, PrintStream out, StopRequest stop) {
        this.study = study;
        this.folder = folder;
        this.out = out;
        this.stop = stop;
    }

    /** Makes the runs that are missing, and returns all measurements in the order in which they were made. */
    public List<Measurement> execute() throws IOException {
        readEarlier();
        try {
            for (int repeat = 1; repeat <= study.repeats() && !stop.isRequested(); repeat++) {
                for (PlannedRun run : turned(study.runs(), repeat - 1)) {
                    if (!isMeasured(run.name(), repeat) && !stop.isRequested()) {
                        keep(measure(run, repeat));
                    }
                }
            }
        } finally {
            closeTarget();
        }
        if (!stop.isRequested()) {
            removeInputs();
        }
        return List.copyOf(measurements);
    }

    /** The server of these settings; one that stays open from run to run, as long as they ask for the same. */
    private Target target(Settings settings) {
        if (settings.sink().kind() == SinkKind.DISCARD) {
            return Target.open(settings, out::println);
        }
        List<Object> asked = List.of(settings.server(), settings.sink().server());
        if (!asked.equals(opened)) {
            closeTarget();
            open = Optional.of(Target.open(settings, out::println));
            opened = asked;
        }
        return open.orElseThrow();
    }

    private void closeTarget() {
        open.ifPresent(Target::close);
        open = Optional.empty();
        opened = List.of();
    }

    private static <T> List<T> turned(List<T> list, int by) {
        List<T> turned = new ArrayList<>(list);
        Collections.rotate(turned, -by);
        return turned;
    }

    private boolean isMeasured(String run, int repeat) {
        return measurements.stream().anyMatch(done -> done.run().equals(run) && done.repeat() == repeat);
    }

    /**
     * Takes over what is there of an earlier attempt.
     *
     * @throws SettingsException if that was another study, of other runs, rows, repeats or settings
     */
    private void readEarlier() throws IOException {
        Path plan = folder.resolve(PLAN);
        Path results = folder.resolve(RESULTS);
        if (!Files.exists(plan) && !Files.exists(results)) {
            Files.writeString(plan, study.fingerprint());
        } else if (!Files.exists(plan) || !Files.readString(plan).equals(study.fingerprint())) {
            throw new SettingsException(
                    List.of(
                            "--resume: the study in " + folder
                                    + " has other runs, repeats, numbers of rows or settings: give the command that began it, and --resume"));
        }
        if (Files.exists(results)) {
            for (String line : Files.readAllLines(results)) {
                Measurement done = JSON.readValue(line, Measurement.class);
                if (done.failure() == null) {
                    measurements.add(done);
                }
            }
            out.println("Going on in " + folder + ": " + measurements.size() + " runs are there.");
        }
    }

    private void keep(Optional<Measurement> measured) throws IOException {
        if (measured.isEmpty()) {
            return;
        }
        measurements.add(measured.get());
        Files.writeString(
                folder.resolve(RESULTS),
                JSON.writeValueAsString(measured.get()) + '\n',
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        out.println(StudyTable.line(measured.get()));
    }

    private Settings settings(PlannedRun run) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>(run.texts());
        if (study.readsInput(run)) {
            texts.put("source.path", input(run).toString());
        }
        return Settings.ofLocalRun(texts);
    }

    /** The file that the run reads, written if it is not there yet. */
    private Path input(PlannedRun run) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>(study.input());
        run.rows().ifPresent(rows -> texts.put(Study.ROWS, rows.toString()));
        Path file = folder.resolve(INPUT + texts.get(Study.ROWS) + ".csv");
        if (!Files.exists(file)) {
            out.println("Writing " + file);
            new FleetFileWriter(Settings.of(texts).source().fleet().orElseThrow(), file, false)
                    .write((rows, bytes) -> {});
        }
        return file;
    }

    /** They can be written again, and are large. */
    private void removeInputs() throws IOException {
        try (DirectoryStream<Path> inputs = Files.newDirectoryStream(folder, INPUT + "*")) {
            for (Path input : inputs) {
                Files.delete(input);
            }
        }
    }

    /** Empty if the run was stopped: it says nothing then. */
    private Optional<Measurement> measure(PlannedRun run, int repeat) {
        try {
            Settings settings = settings(run);
            Target target = target(settings);
            if (run.psql().isPresent()) {
                return Optional.of(byPsql(run, settings, repeat, target));
            }
            if (settings.sink().kind() != SinkKind.DISCARD) {
                target.checkpoint();
            }
            Path runFolder = folder.resolve(run.name() + "-" + repeat);
            FileUtils.deleteDirectory(runFolder.toFile());
            Files.createDirectories(runFolder);
            RunResult result = new Run(settings, target, runFolder, Optional.of(run.name()), silent(), stop).execute();
            return switch (result.outcome()) {
                case STOPPED -> Optional.empty();
                case FAILED, REJECTED_SOME ->
                    Optional.of(Measurement.failed(
                            run.name(), repeat, result.failure().orElse(result.rejects() + " rows were rejected")));
                case FINISHED ->
                    Optional.of(Measurement.of(
                            run.name(), repeat, RunFolder.read(runFolder).summary()));
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (IOException | SQLException | RuntimeException e) {
            LOG.error("Run {} failed", run.name(), e);
            return Optional.of(Measurement.failed(run.name(), repeat, Failures.explain(e)));
        }
    }

    private Measurement byPsql(PlannedRun run, Settings settings, int repeat, Target target)
            throws IOException, SQLException, InterruptedException {
        PsqlCopy copy = new PsqlCopy(target, input(run));
        List<Path> parts = copy.parts(run.psql().orElseThrow());
        target.makeTable(settings);
        if (!run.prepare().isEmpty()) {
            target.execute(run.prepare());
        }
        target.checkpoint();
        Optional<ServerUsage> usage = target.usage();
        PsqlCopy.Took took = copy.load(TableName.parse(settings.sink().table()).sql(), parts);
        OptionalDouble serverCpu = usage.isPresent() ? usage.get().sample().cpuSeconds() : OptionalDouble.empty();
        long loaded = target.count(settings);
        long rows = run.rows().orElseGet(() -> Long.parseLong(study.input().get(Study.ROWS)));
        if (loaded != rows) {
            return Measurement.failed(
                    run.name(),
                    repeat,
                    "psql loaded " + loaded + " rows of " + rows + ": delete the input files in " + folder);
        }
        return new Measurement(
                run.name(),
                repeat,
                null,
                loaded,
                took.seconds(),
                took.seconds(),
                serverCpu.isPresent() ? serverCpu.getAsDouble() : null,
                took.clientCpuSeconds());
    }

    private static PrintStream silent() {
        return new PrintStream(PrintStream.nullOutputStream());
    }
}
