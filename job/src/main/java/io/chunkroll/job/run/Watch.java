package io.chunkroll.job.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.chunkroll.job.report.ChunkRoll;
import io.chunkroll.job.report.Sawtooth;
import io.chunkroll.job.report.Timeline;
import io.chunkroll.job.report.TimelinePoint;
import io.chunkroll.job.report.TimelineWriter;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.Settings.SinkKind;
import io.chunkroll.server.ServerUsage;
import io.chunkroll.sinks.table.BulkLoad;
import io.chunkroll.sinks.table.OnConflict;
import io.chunkroll.sinks.table.TargetTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches a job that was started, wherever it runs, to its end, and writes the run folder. */
final class Watch {
    private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
    private static final Duration UNTIL_FIRST_ROW = Duration.ofMillis(10);

    /**
     * What is watched besides the job.
     *
     * @param title what the run is called
     * @param probe looks at the database; empty where there is none, or it cannot be reached from here
     * @param rowsBefore rows in the table when the load began; empty where nobody could count them
     * @param target the server of the load
     * @param cluster facts of the cluster that the job runs on, by name; empty where it is this process
     */
    record Scene(
            Subject subject,
            String title,
            Optional<DatabaseProbe> probe,
            OptionalLong rowsBefore,
            Target target,
            Rejects rejects,
            Map<String, String> cluster) {}

    /** Clears up after a job that did not come to its end, where nobody goes on from it. */
    @FunctionalInterface
    interface ClearUp {
        void run() throws IOException;
    }

    private final Scene scene;
    private final Settings settings;
    private final RunningJob job;
    private final PrintStream out;
    private final StopRequest stop;
    private final Onlooker onlooker;

    Watch(Scene scene, RunningJob job, PrintStream out, StopRequest stop, Onlooker onlooker) {
        this.scene = scene;
        this.job = job;
        this.out = out;
        this.stop = stop;
        this.onlooker = onlooker;
        settings = scene.subject().settings();
    }

    /**
     * Follows the job to its end.
     *
     * @param bulk what is still to be done when all rows are there, if anything
     * @param folder the run folder
     */
    RunResult follow(Path folder, Optional<BulkLoad> bulk, ClearUp clearUp)
            throws IOException, SQLException, InterruptedException {
        try {
            return watchAndWrite(folder, bulk, clearUp);
        } finally {
            onlooker.ended();
        }
    }

    private RunResult watchAndWrite(Path folder, Optional<BulkLoad> bulk, ClearUp clearUp)
            throws IOException, SQLException, InterruptedException {
        Seen seen = see(folder, bulk);
        if (!job.isFinished()) {
            clearUp.run();
        }
        Ending ending = ending(bulkFailure(bulk, seen.indexes()), seen.stopped());
        JobMetrics metrics = job.metrics();
        RowCounts counts = RowCounts.of(settings.sink(), metrics);
        Optional<DatabaseProbe> probe = scene.probe();
        RunFile file =
                new RunFile(scene.title(), scene.subject(), seen.sampler().start(), seen.reasons());
        file.environment(
                probe.map(DatabaseProbe::serverFacts).orElse(List.of()),
                scene.target().isEmbedded(),
                scene.cluster());
        file.outcome(ending.outcome(), ending.failure());
        file.rows(
                metrics,
                counts,
                scene.rowsBefore(),
                ending.rowsInTable(),
                seen.sampler().seconds());
        file.indexes(seen.indexes(), counts.written());
        file.rejects(scene.rejects().rows(), scene.rejects().isExact() ? Optional.empty() : metrics.unsettled());
        file.retries(metrics, settings.sink().kind() == SinkKind.COPY);
        file.usage(seen.loadEnd(), probe.map(DatabaseProbe::sizes).orElse(DatabaseProbe.Sizes.NONE));
        file.afterLoad(seen.after(), seen.unwatched().orElse(""));
        file.table(scene.subject(), probe.map(DatabaseProbe::tableFacts).orElse(Map.of()));
        List<ChunkRoll> rolls = probe.map(DatabaseProbe::rolls).orElse(List.of());
        file.chunkRolls(rolls);
        file.sawtooth(Sawtooth.of(Timeline.read(folder), rolls));
        file.chunkList(scene.subject().hasChunks() ? probe.flatMap(DatabaseProbe::chunks) : Optional.empty());
        file.write(folder);
        return new RunResult(
                folder,
                ending.outcome(),
                ending.failure(),
                new RunResult.Rejects(scene.rejects().rows(), scene.rejects().shown()));
    }

    /**
     * What was seen from the first row to the end of watching.
     *
     * @param loadEnd the last look at the load
     * @param stopped whether the user ended the load
     * @param after what the server still did
     * @param unwatched why that was not looked at; empty if it was
     */
    private record Seen(
            Sampler sampler,
            Reasons reasons,
            TimelinePoint loadEnd,
            boolean stopped,
            Optional<IndexPhase> indexes,
            Optional<AfterLoad> after,
            Optional<String> unwatched) {}

    private Seen see(Path folder, Optional<BulkLoad> bulk) throws IOException, InterruptedException {
        Optional<DatabaseProbe> probe = scene.probe();
        try (TimelineWriter timeline = TimelineWriter.create(folder)) {
            awaitFirstRow();
            Optional<ServerUsage> usage = scene.target().usage();
            Sampler sampler =
                    new Sampler(job.metrics(), probe, usage, timeline, scene.rejects(), job.begun(), onlooker);
            onlooker.begins(folder, soFar(sampler));
            TimelinePoint last = watch(
                    sampler, new Progress(out, scene.title(), scene.subject().expectedRows()));
            Optional<IndexPhase> indexes = Optional.empty();
            if (bulk.isPresent() && job.isFinished()) {
                int connections = settings.job().parallelism();
                indexes = Optional.of(
                        IndexPhase.run(bulk.get(), connections, settings.sink().indexMemory(), sampler, out));
                last = sampler.look(TimelinePoint.AFTER).point();
            }
            boolean stopped = stop.isRequested();
            boolean finished =
                    job.isFinished() && indexes.flatMap(IndexPhase::failure).isEmpty();
            Reasons reasons = Reasons.of(
                    settings,
                    scene.subject().table().map(TargetTable::layout),
                    usage,
                    () -> probe.flatMap(DatabaseProbe::failure));
            Optional<String> unwatched =
                    reasons.unwatched(finished, stopped, last.serverCpuSeconds().isPresent());
            Optional<AfterLoad> after = unwatched.isPresent()
                    ? Optional.empty()
                    : Optional.of(AfterLoad.watch(
                            settings.watchAfter(), last, sampler, probe.orElseThrow(), stop::isRequested, out));
            return new Seen(sampler, reasons, last, stopped, indexes, after, unwatched);
        }
    }

    private JsonNode soFar(Sampler sampler) {
        Optional<DatabaseProbe> probe = scene.probe();
        Reasons none = Reasons.of(
                settings, scene.subject().table().map(TargetTable::layout), Optional.empty(), Optional::empty);
        RunFile file = new RunFile(scene.title(), scene.subject(), sampler.start(), none);
        file.environment(
                probe.map(DatabaseProbe::serverFacts).orElse(List.of()),
                scene.target().isEmbedded(),
                scene.cluster());
        file.table(scene.subject(), probe.map(DatabaseProbe::tableFacts).orElse(Map.of()));
        return file.soFar();
    }

    private void awaitFirstRow() throws InterruptedException {
        while (job.metrics().rowsRead() == 0 && !job.isDone() && !stop.isRequested()) {
            job.await(UNTIL_FIRST_ROW);
        }
    }

    private TimelinePoint watch(Sampler sampler, Progress progress) throws IOException, InterruptedException {
        Thread stopper = null;
        long tick = System.nanoTime();
        while (!job.isDone()) {
            if (stop.isRequested() && stopper == null) {
                out.println("Stopping: what was read is committed, then the run ends. Ctrl-C again "
                        + job.onSecondStop() + ".");
                stopper = new Thread(job::stop, "stop");
                stopper.setDaemon(true);
                stopper.start();
            }
            // From tick to tick: what a look takes does not lengthen the periods.
            tick = Math.max(tick + job.period().toNanos(), System.nanoTime());
            job.await(Duration.ofNanos(tick - System.nanoTime()));
            if (!job.isDone()) {
                progress.saw(sampler.look(), false);
            }
        }
        if (stopper != null) {
            stopper.join();
        }
        Sampler.Look end = sampler.look();
        progress.saw(end, true);
        return end.point();
    }

    /** How the run ended, the table counted. */
    private record Ending(RunResult.Outcome outcome, Optional<String> failure, OptionalLong rowsInTable) {}

    /** What is to be said of a bulk load that did not come to its end; empty if it did. */
    private Optional<String> bulkFailure(Optional<BulkLoad> bulk, Optional<IndexPhase> indexes) {
        Optional<String> failed = indexes.flatMap(IndexPhase::failure);
        if (bulk.isEmpty() || (job.isFinished() && failed.isEmpty())) {
            return Optional.empty();
        }
        String next = bulk.get().endEarly();
        return Optional.of(failed.map(reason -> reason + ". " + next).orElse(next));
    }

    private Ending ending(Optional<String> bulkFailure, boolean stopped) throws IOException {
        OptionalLong inTable = OptionalLong.empty();
        Optional<String> failure = job.failure();
        if (bulkFailure.isPresent()) {
            failure = Optional.of(failure.map(reason -> reason + ". ").orElse("") + bulkFailure.get());
        }
        if (scene.probe().isPresent() && scene.rowsBefore().isPresent()) {
            try {
                inTable = OptionalLong.of(
                        scene.probe().get().count() - scene.rowsBefore().getAsLong());
            } catch (SQLException e) {
                LOG.error("The table could not be counted", e);
                failure = failure.or(
                        () -> Optional.of("The rows in table " + settings.sink().table()
                                + " could not be counted after the load: " + Failures.oneLine(e.getMessage())));
            }
        }
        OptionalLong rejectedExactly =
                scene.rejects().isExact() ? OptionalLong.of(scene.rejects().rows()) : OptionalLong.empty();
        RowCounts seen = RowCounts.of(settings.sink(), job.metrics());
        job.metrics().settle(inTable, seen.gained(settings.sink().onConflict()), rejectedExactly);
        if (failure.isEmpty()) {
            failure = contradiction(inTable);
        }
        long rejected = scene.rejects().rows();
        RunResult.Outcome outcome = failure.isPresent()
                ? RunResult.Outcome.FAILED
                : stopped
                        ? RunResult.Outcome.STOPPED
                        : rejected > 0 ? RunResult.Outcome.REJECTED_SOME : RunResult.Outcome.FINISHED;
        return new Ending(outcome, failure, inTable);
    }

    /** What does not add up, of that which is known to the last. */
    private Optional<String> contradiction(OptionalLong inTable) throws IOException {
        JobMetrics metrics = job.metrics();
        if (metrics.rowsUnsettled().isPresent()) {
            return Optional.empty();
        }
        RowCounts counts = RowCounts.of(settings.sink(), metrics);
        long written = counts.written();
        long read = metrics.rowsRead();
        long rejected = scene.rejects().rows();
        long filtered = metrics.rowsFiltered();
        if (metrics.unsettled().isEmpty()
                && metrics.readUnsettled().isEmpty()
                && metrics.addsUp()
                && job.isFinished()
                && metrics.restarts() == 0
                && read != written + rejected + filtered) {
            return Optional.of("Of " + read + " rows read, " + written + " were committed, " + rejected
                    + " rejected and " + filtered
                    + " filtered: that does not add up, and is a fault of this program. Please report it with the log");
        }
        OptionalLong gained = metrics.unsettled().isEmpty() || settings.sink().onConflict() == OnConflict.ERROR
                ? counts.gained(settings.sink().onConflict())
                : OptionalLong.empty();
        if (inTable.isPresent() && gained.isPresent() && !inTable.equals(gained)) {
            return Optional.of("Table " + settings.sink().table() + " has " + inTable.getAsLong()
                    + " rows more than before, but " + gained.getAsLong() + " were "
                    + (counts.inserted().isPresent() ? "inserted" : "committed")
                    + ". Did something else write to it, or a trigger add or remove rows?");
        }
        return Optional.empty();
    }
}
