package io.chunkroll.job.run;

import io.chunkroll.job.report.TimelinePoint;
import io.chunkroll.job.report.TimelineWriter;
import io.chunkroll.job.settings.Settings;
import io.chunkroll.job.settings.Settings.SinkKind;
import io.chunkroll.server.ServerUsage;
import io.chunkroll.sinks.reject.RejectFolder;
import io.chunkroll.sinks.reject.RejectOptions;
import io.chunkroll.sinks.table.BulkLoad;
import io.chunkroll.sinks.table.Chunk;
import io.chunkroll.sinks.table.ConnectionOptions;
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

/** One load on this machine: starts the job, watches it to its end, writes the run folder. */
public final class Run {
    private static final Logger LOG = LoggerFactory.getLogger(Run.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration UNTIL_FIRST_ROW = Duration.ofMillis(10);

    private final Settings settings;
    private final Target target;
    private final Path folder;
    private final RejectOptions rejectOptions;
    private final RejectFolder rejects;
    private final String name;
    private final PrintStream out;
    private final StopRequest stop;
    private final Leftovers leftovers;

    /**
     * @param target the server, which stays open
     * @param folder the run folder, which is there and writable
     * @param name what the run is called in its files, or empty for one made of table and layout
     * @param out the terminal
     * @param stop tells when the user has had enough
     */
    public Run(
            Settings settings, Target target, Path folder, Optional<String> name, PrintStream out, StopRequest stop) {
        this.settings = settings;
        this.target = target;
        this.folder = folder;
        rejectOptions = RejectPlace.ofRun(settings, folder);
        rejects = new RejectFolder(rejectOptions);
        this.name = name.orElse("");
        this.out = out;
        this.stop = stop;
        leftovers = new Leftovers(target, settings.sink().transactionPrefix());
    }

    /**
     * Runs the load to its end. A job that fails is a result, not an exception: its folder tells why.
     *
     * @throws RuntimeException if the load cannot even be started; there is then no run
     */
    public RunResult execute() throws IOException, SQLException, InterruptedException {
        Optional<ConnectionOptions> server = target.connection();
        leftovers.clearBefore();
        Load load = server.isPresent() ? Load.into(settings, server.get()) : Load.discarding(settings);
        Optional<DatabaseProbe> probe =
                server.map(options -> new DatabaseProbe(options, load.table().orElseThrow()));
        try {
            return execute(load, probe);
        } finally {
            probe.ifPresent(DatabaseProbe::close);
        }
    }

    private RunResult execute(Load load, Optional<DatabaseProbe> probe)
            throws IOException, SQLException, InterruptedException {
        Optional<BulkLoad> bulk = load.beginBulk(target.connection());
        try {
            return execute(load, probe, bulk);
        } finally {
            bulk.ifPresent(BulkLoad::close);
        }
    }

    private RunResult execute(Load load, Optional<DatabaseProbe> probe, Optional<BulkLoad> bulk)
            throws IOException, SQLException, InterruptedException {
        String title = name.isEmpty() ? load.name() : name;
        long rowsBefore = probe.isPresent() ? probe.get().begin() : 0;
        try (LocalJob job = LocalJob.start(load, target.connection(), folder, rejectOptions, title)) {
            Seen seen = see(job, load, probe, bulk, title);
            if (!job.isFinished()) {
                leftovers.clearAfter();
                rejects.reveal();
            }
            Ending ending = ending(job, probe, rowsBefore, bulkFailure(job, bulk, seen.indexes()), seen.stopped());
            RowCounts counts = RowCounts.of(settings.sink(), job.metrics());
            RunFile file = new RunFile(title, load, seen.sampler().start(), seen.reasons());
            file.environment(probe.map(DatabaseProbe::serverFacts).orElse(List.of()), target.isEmbedded());
            file.outcome(ending.outcome(), ending.failure());
            OptionalLong before = probe.isPresent() ? OptionalLong.of(rowsBefore) : OptionalLong.empty();
            file.rows(
                    job.metrics(),
                    counts,
                    before,
                    ending.rowsInTable(),
                    seen.sampler().seconds());
            file.indexes(seen.indexes(), counts.written());
            file.rejects(rejects.published());
            file.retries(job.metrics(), settings.sink().kind() == SinkKind.COPY);
            file.usage(seen.loadEnd(), probe.map(DatabaseProbe::sizes).orElse(DatabaseProbe.Sizes.NONE));
            file.afterLoad(seen.after(), seen.unwatched().orElse(""));
            file.table(load, probe.map(DatabaseProbe::tableFacts).orElse(Map.of()));
            file.chunkRolls(probe.map(DatabaseProbe::rolls).orElse(List.of()));
            file.chunkList(hasChunks(load) ? probe.flatMap(DatabaseProbe::chunks) : Optional.empty());
            file.write(folder);
            return new RunResult(
                    folder,
                    ending.outcome(),
                    ending.failure(),
                    job.metrics().rowsWritten(),
                    new RunResult.Rejects(rejects.published(), RejectPlace.shown(settings, folder)));
        }
    }

    private static boolean hasChunks(Load load) {
        return load.table().filter(Chunk::has).isPresent();
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

    private Seen see(LocalJob job, Load load, Optional<DatabaseProbe> probe, Optional<BulkLoad> bulk, String title)
            throws IOException, InterruptedException {
        try (TimelineWriter timeline = TimelineWriter.create(folder)) {
            awaitFirstRow(job);
            Optional<ServerUsage> usage = target.usage();
            Sampler sampler = new Sampler(job.metrics(), probe, usage, timeline, rejects);
            TimelinePoint last = watch(job, sampler, new Progress(out, title, load.expectedRows()));
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
                    load.table().map(TargetTable::layout),
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

    private void awaitFirstRow(LocalJob job) throws InterruptedException {
        while (job.metrics().rowsRead() == 0 && !job.isDone() && !stop.isRequested()) {
            job.await(UNTIL_FIRST_ROW);
        }
    }

    private TimelinePoint watch(LocalJob job, Sampler sampler, Progress progress)
            throws IOException, InterruptedException {
        Thread stopper = null;
        long tick = System.nanoTime();
        while (!job.isDone()) {
            if (stop.isRequested() && stopper == null) {
                out.println("Stopping: what was read is committed, then the run ends. Ctrl-C again breaks it off.");
                stopper = new Thread(job::stop, "stop");
                stopper.setDaemon(true);
                stopper.start();
            }
            // From tick to tick: what a look takes does not lengthen the periods.
            tick = Math.max(tick + PERIOD.toNanos(), System.nanoTime());
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
    private static Optional<String> bulkFailure(LocalJob job, Optional<BulkLoad> bulk, Optional<IndexPhase> indexes) {
        Optional<String> failed = indexes.flatMap(IndexPhase::failure);
        if (bulk.isEmpty() || (job.isFinished() && failed.isEmpty())) {
            return Optional.empty();
        }
        String next = bulk.get().endEarly();
        return Optional.of(failed.map(reason -> reason + ". " + next).orElse(next));
    }

    private Ending ending(
            LocalJob job, Optional<DatabaseProbe> probe, long rowsBefore, Optional<String> bulkFailure, boolean stopped)
            throws IOException {
        OptionalLong inTable = OptionalLong.empty();
        Optional<String> failure = job.failure().map(cause -> {
            LOG.error("The job failed", cause);
            return Failures.explain(cause);
        });
        if (bulkFailure.isPresent()) {
            failure = Optional.of(failure.map(reason -> reason + ". ").orElse("") + bulkFailure.get());
        }
        if (probe.isPresent()) {
            try {
                inTable = OptionalLong.of(probe.get().count() - rowsBefore);
            } catch (SQLException e) {
                LOG.error("The table could not be counted", e);
                failure = failure.or(
                        () -> Optional.of("The rows in table " + settings.sink().table()
                                + " could not be counted after the load: " + Failures.oneLine(e.getMessage())));
            }
        }
        RowCounts counts = RowCounts.of(settings.sink(), job.metrics());
        long written = counts.written();
        long read = job.metrics().rowsRead();
        long rejected = rejects.published();
        long filtered = job.metrics().rowsFiltered();
        if (failure.isEmpty()
                && job.isFinished()
                && job.metrics().restarts() == 0
                && read != written + rejected + filtered) {
            failure = Optional.of("Of " + read + " rows read, " + written + " were committed, " + rejected
                    + " rejected and " + filtered
                    + " filtered: that does not add up, and is a fault of this program. Please report it with the log");
        }
        OptionalLong gained = counts.gained(settings.sink().onConflict());
        if (failure.isEmpty() && inTable.isPresent() && gained.isPresent() && !inTable.equals(gained)) {
            failure = Optional.of("Table " + settings.sink().table() + " has " + inTable.getAsLong()
                    + " rows more than before, but " + gained.getAsLong() + " were "
                    + (counts.inserted().isPresent() ? "inserted" : "committed")
                    + ". Did something else write to it, or a trigger add or remove rows?");
        }
        RunResult.Outcome outcome = failure.isPresent()
                ? RunResult.Outcome.FAILED
                : stopped
                        ? RunResult.Outcome.STOPPED
                        : rejected > 0 ? RunResult.Outcome.REJECTED_SOME : RunResult.Outcome.FINISHED;
        return new Ending(outcome, failure, inTable);
    }
}
