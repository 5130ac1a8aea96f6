package io.chunkroll.job.study;

import io.chunkroll.job.report.RunFolder;
import io.chunkroll.job.run.Failures;
import io.chunkroll.job.run.Onlooker;
import io.chunkroll.job.run.Run;
import io.chunkroll.job.run.RunResult;
import io.chunkroll.job.run.StopRequest;
import io.chunkroll.job.run.Target;
import io.chunkroll.job.settings.AllSettings;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.Settings.SinkKind;
import io.chunkroll.job.study.Study.PlannedRun;
import io.chunkroll.sinks.table.TableName;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private static final String WARM_UP_ROWS = "200000";
    private static final Logger LOG = LoggerFactory.getLogger(StudyRunner.class);

    private final Study study;
    private final Path folder;
    private final PrintStream out;
    private final StopRequest stop;
    private final Onlooker onlooker;
    private final StudyResults results;
    private final StudyInput input;
    private final Measurements measurements = new Measurements();
    private boolean isWarm;
    private Optional<Target> open = Optional.empty();
    /** What the open target was asked for. */
    private List<Object> opened = List.of();

    /**
     * @param folder the study's own; what is in it of an earlier attempt is not made again
     * @param onlooker is told how the loads that are measured go on
     */
    public StudyRunner(Study study, Path folder, PrintStream out, StopRequest stop, Onlooker onlooker) {
        this.study = study;
        this.folder = folder;
        this.out = out;
        this.stop = stop;
        this.onlooker = onlooker;
        results = new StudyResults(study, folder);
        input = new StudyInput(study, folder, out);
    }

    /** Makes the runs that are missing, and returns all measurements. */
    public Measurements execute() throws IOException {
        if (results.begin(measurements)) {
            out.println("Going on in " + folder + ": " + measurements.count() + " runs are there.");
        }
        try {
            boolean found = false;
            for (int stage = 0; stage < study.stages() && !found && !stop.isRequested(); stage++) {
                execute(stage);
                found = study.endsAfter(stage, measurements);
            }
        } finally {
            closeTarget();
        }
        if (!stop.isRequested()) {
            input.remove();
        }
        return measurements;
    }

    private void execute(int stage) throws IOException {
        for (int repeat = 1; repeat <= study.repeats(); repeat++) {
            for (PlannedRun run : turned(study.runs(stage), repeat - 1)) {
                if (!measurements.has(run.name(), repeat) && !stop.isRequested()) {
                    warmUp();
                    keep(measure(run, repeat));
                }
            }
        }
    }

    /**
     * Makes a short load before the first run, so that this run does not pay for what a Java machine and a server pay once. Its figures
     * are not kept.
     */
    private void warmUp() throws IOException {
        Optional<PlannedRun> ours =
                study.runs().stream().filter(run -> run.psql().isEmpty()).findFirst();
        if (isWarm || ours.isEmpty()) {
            return;
        }
        isWarm = true;
        Map<String, String> texts = new LinkedHashMap<>(ours.get().texts());
        texts.keySet()
                .removeIf(key -> key.startsWith("source.csv.")
                        || key.startsWith("source.tsbs.")
                        || key.equals(AllSettings.SOURCE_PATH.key()));
        texts.put(AllSettings.SOURCE_KIND.key(), "generated");
        texts.put(Study.ROWS, WARM_UP_ROWS);
        texts.remove(AllSettings.WATCH_AFTER.key());
        if ("jdbc".equals(texts.get(AllSettings.SINK_KIND.key()))) {
            // Single rows would take minutes, and warm nothing that batches do not.
            texts.put(AllSettings.BATCH_ROWS.key(), "1000");
        }
        out.println("Warming up with " + WARM_UP_ROWS + " rows, which are not measured");
        measure("warm-up", 1, () -> {
            Settings settings = Settings.ofLocalRun(texts);
            load(settings, target(settings), "warm-up", 1, Onlooker.NOBODY);
            FileUtils.deleteDirectory(folder.resolve("warm-up-1").toFile());
            return Optional.empty();
        });
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

    private void keep(Optional<Measurement> measured) throws IOException {
        if (measured.isPresent()) {
            measurements.add(measured.get());
            results.append(measured.get());
            out.println(StudyTable.line(measured.get()));
        }
    }

    private Settings settings(PlannedRun run) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>(run.texts());
        if (study.readsInput(run)) {
            texts.put(AllSettings.SOURCE_PATH.key(), input.file(run).toString());
        }
        if (!run.before().isEmpty()) {
            texts.put(AllSettings.CREATE.key(), "if-missing");
        }
        return Settings.ofLocalRun(texts);
    }

    /** Empty if the run was stopped: it says nothing then, unless that is how it ends. */
    private Optional<Measurement> measure(PlannedRun run, int repeat) {
        return measure(run.name(), repeat, () -> {
            Settings settings = settings(run);
            Target target = target(settings);
            if (!run.before().isEmpty()) {
                Optional<String> failure = loadBefore(run, target);
                if (failure.isPresent()) {
                    return Optional.of(Measurement.failed(run.name(), repeat, failure.get()));
                }
            }
            if (run.psql().isPresent()) {
                return Optional.of(byPsql(run, settings, repeat, target));
            }
            RunResult result = load(settings, target, run.name(), repeat, onlooker);
            return switch (result.outcome()) {
                case STOPPED -> run.isEndless() ? Optional.of(read(run, repeat)) : Optional.empty();
                case FAILED, REJECTED_SOME ->
                    Optional.of(Measurement.failed(
                            run.name(), repeat, result.failure().orElse(result.rejects() + " rows were rejected")));
                case FINISHED -> Optional.of(read(run, repeat));
            };
        });
    }

    /** What makes a measurement, and may fail. */
    private interface Work {
        Optional<Measurement> make() throws IOException, SQLException, InterruptedException;
    }

    /** One run's failure is a line of the table, not the study's end. */
    private static Optional<Measurement> measure(String run, int repeat, Work work) {
        try {
            return work.make();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (IOException | SQLException | RuntimeException e) {
            LOG.error("Run {} failed", run, e);
            return Optional.of(Measurement.failed(run, repeat, Failures.explain(e)));
        }
    }

    private Path runFolder(String name, int repeat) {
        return folder.resolve(name + "-" + repeat);
    }

    private Measurement read(PlannedRun run, int repeat) {
        return Measurement.of(
                run.name(),
                repeat,
                RunFolder.read(runFolder(run.name(), repeat)).summary());
    }

    private RunResult load(Settings settings, Target target, String name, int repeat, Onlooker who)
            throws IOException, SQLException, InterruptedException {
        if (settings.sink().kind() != SinkKind.DISCARD) {
            target.checkpoint();
        }
        Path runFolder = runFolder(name, repeat);
        FileUtils.deleteDirectory(runFolder.toFile());
        Files.createDirectories(runFolder);
        return new Run(settings, target, runFolder, Optional.of(name), out, stop, who).execute();
    }

    /** Fills the table with what is there already when the run begins; returns why that failed. */
    private Optional<String> loadBefore(PlannedRun run, Target target)
            throws IOException, SQLException, InterruptedException {
        String name = "before " + run.name();
        RunResult result = load(Settings.ofLocalRun(run.before()), target, name, 1, Onlooker.NOBODY);
        FileUtils.deleteDirectory(runFolder(name, 1).toFile());
        return result.outcome() == RunResult.Outcome.FINISHED
                ? Optional.empty()
                : Optional.of("The rows of before could not be loaded: "
                        + result.failure().orElse("the run was stopped"));
    }

    private Measurement byPsql(PlannedRun run, Settings settings, int repeat, Target target)
            throws IOException, SQLException, InterruptedException {
        PsqlCopy copy = new PsqlCopy(target, input.file(run));
        List<Path> parts = copy.parts(run.psql().orElseThrow());
        target.makeTable(settings);
        if (!run.prepare().isEmpty()) {
            target.execute(run.prepare());
        }
        target.checkpoint();
        long before = target.count(settings);
        ServerWork work = ServerWork.begin(target);
        PsqlCopy.Took took = copy.load(TableName.parse(settings.sink().table()).sql(), parts);
        double seconds = took.seconds();
        double ready = seconds;
        if (!run.finish().isEmpty()) {
            long begin = System.nanoTime();
            target.execute(run.finish());
            ready += (System.nanoTime() - begin) / 1e9;
        }
        long loaded = target.count(settings) - before;
        long rows = run.rows().orElseGet(() -> Long.parseLong(study.input().get(Study.ROWS)));
        if (loaded != rows) {
            return Measurement.failed(
                    run.name(),
                    repeat,
                    "psql loaded " + loaded + " rows of " + rows + ": delete the input files in " + folder);
        }
        Map<Figure, OptionalDouble> figures = work.figures(settings, rows);
        figures.put(Figure.ROWS_PER_SECOND, OptionalDouble.of(loaded / seconds));
        figures.put(Figure.READY_SECONDS, OptionalDouble.of(ready));
        figures.put(Figure.CLIENT_CPU, Figure.aRow(OptionalDouble.of(took.clientCpuSeconds()), rows));
        return Measurement.of(run.name(), repeat, loaded, figures);
    }
}
