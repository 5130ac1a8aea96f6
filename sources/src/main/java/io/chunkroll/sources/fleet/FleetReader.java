package io.chunkroll.sources.fleet;

import io.chunkroll.rows.TableDescription;
import io.chunkroll.rows.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.Counter;

/**
 * Makes the rows of some splits, step by step: every split's rows of one step, then every split's rows of the next.
 *
 * <p>It never sleeps. Where it is too far ahead of the other readers, or of the rate, it says that nothing is available and completes a
 * future when that changes. All methods run on the task's thread; only the timer's future is completed by another.
 */
final class FleetReader implements SourceReader<Tuple, FleetSplit> {
    /** Rows a call: enough to make the cost of a call small, few enough for a checkpoint not to wait. */
    static final int BATCH = 256;
    /** Rows of replay a call, for the same reason; a replayed row costs a tenth. */
    static final int REPLAY_BATCH = 4096;

    private static final CompletableFuture<Void> AT_ONCE = CompletableFuture.completedFuture(null);
    private static final long NEVER = Long.MIN_VALUE;

    private final SourceReaderContext context;
    private final FleetOptions fleet;
    private final LongSupplier nanoClock;
    private final LongFunction<CompletableFuture<Void>> timer;
    private final TupleFields fields;
    private final Counter rowsIn;
    private final long lead;
    private final long reportEvery;
    private final List<SplitRun> runs = new ArrayList<>();

    private boolean noMoreSplits;
    private CompletableFuture<Void> available = AT_ONCE;
    /** Null where no rate is asked for, or there is nothing to pace. */
    private Pace pace;
    /** The step that was reported last. */
    private long reported = NEVER;
    /** The slowest reader's step as last heard. */
    private long slowest = NEVER;

    /**
     * @param keyColumn the column whose value is a row's partition key, or {@link TableDescription#NONE}
     * @param nanoClock tells the time for the rate, as {@link System#nanoTime()} does
     * @param timer gives a future that is completed after so many nanoseconds
     */
    FleetReader(
            SourceReaderContext context,
            FleetOptions fleet,
            int keyColumn,
            LongSupplier nanoClock,
            LongFunction<CompletableFuture<Void>> timer) {
        this.context = context;
        this.fleet = fleet;
        this.nanoClock = nanoClock;
        this.timer = timer;
        TableDescription table = fleet.dataset().table();
        fields = TupleFields.of(table.withRoles(table.timeColumn(), keyColumn));
        rowsIn = context.metricGroup().getIOMetricGroup().getNumRecordsInCounter();
        lead = Alignment.lead(fleet.devices());
        reportEvery = Alignment.reportEvery(fleet.devices());
    }

    @Override
    public void start() {}

    @Override
    public InputStatus pollNext(ReaderOutput<Tuple> output) {
        available = AT_ONCE;
        int budget = pace == null ? BATCH : pace.due();
        boolean idle = true;
        while (true) {
            SplitRun run = earliest();
            if (run == null) {
                return endOfSplits();
            }
            report(run.step());
            if (!run.isReplayed()) {
                run.replay(REPLAY_BATCH);
                return InputStatus.MORE_AVAILABLE;
            }
            if (slowest == NEVER || run.step() - lead > slowest) {
                return idle ? waitFor(new CompletableFuture<>()) : InputStatus.MORE_AVAILABLE;
            }
            if (budget == 0) {
                return idle ? waitFor(timer.apply(pace.nanosUntilDue())) : InputStatus.MORE_AVAILABLE;
            }
            int rows = Math.min(budget, run.rowsLeftInStep());
            run.emit(rows, fields, output);
            rowsIn.inc(rows);
            budget -= rows;
            idle = false;
            if (pace != null) {
                pace.take(rows);
            }
            if (budget == 0 && !run.isDone()) {
                return InputStatus.MORE_AVAILABLE;
            }
        }
    }

    /** The split that is furthest behind; those that are done are let go. */
    private SplitRun earliest() {
        SplitRun earliest = null;
        for (int i = runs.size() - 1; i >= 0; i--) {
            SplitRun run = runs.get(i);
            if (run.isDone()) {
                runs.remove(i);
                setPace();
            } else if (earliest == null || run.step() <= earliest.step()) {
                earliest = run;
            }
        }
        return earliest;
    }

    private void report(long step) {
        boolean due = reported == NEVER || step < reported || step - reported >= reportEvery;
        if (due) {
            context.sendSourceEventToCoordinator(new ReaderProgress(step, slowest == NEVER));
            reported = step;
        }
    }

    private InputStatus endOfSplits() {
        if (!noMoreSplits) {
            return waitFor(new CompletableFuture<>());
        }
        if (slowest == ReaderProgress.DONE) {
            return InputStatus.END_OF_INPUT;
        }
        if (reported != ReaderProgress.DONE) {
            context.sendSourceEventToCoordinator(new ReaderProgress(ReaderProgress.DONE, true));
            reported = ReaderProgress.DONE;
        }
        return waitFor(new CompletableFuture<>());
    }

    private InputStatus waitFor(CompletableFuture<Void> future) {
        available = future;
        return InputStatus.NOTHING_AVAILABLE;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return available;
    }

    /**
     * Takes over splits, new or restored.
     *
     * @throws IllegalStateException if they belong to a fleet with other settings, or the heap cannot hold their devices' values
     */
    @Override
    public void addSplits(List<FleetSplit> splits) {
        for (FleetSplit split : splits) {
            if (split.fleet() != fleet.fingerprint()) {
                throw new IllegalStateException(
                        "The checkpoint was taken of a fleet with other settings than " + fleet
                                + ". Of the settings source.* only source.rate may change; give the others as they were, or start afresh");
            }
            long devices =
                    split.devices() + runs.stream().mapToLong(SplitRun::devices).sum();
            HeapShare.fault(devices, fleet).ifPresent(fault -> {
                throw new IllegalStateException(fault);
            });
            runs.add(new SplitRun(fleet, split));
        }
        setPace();
        available.complete(null);
    }

    /** Each reader has the rate's share of its devices, so that the readers together keep it however the splits lie. */
    private void setPace() {
        double devices = runs.stream().mapToInt(SplitRun::devices).sum();
        pace = fleet.rate() == 0 || devices == 0
                ? null
                : new Pace(fleet.rate() * devices / fleet.devices(), BATCH, nanoClock);
    }

    @Override
    public void notifyNoMoreSplits() {
        noMoreSplits = true;
        available.complete(null);
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        slowest = ((SlowestStep) event).step();
        available.complete(null);
    }

    @Override
    public List<FleetSplit> snapshotState(long checkpointId) {
        return runs.stream().filter(run -> !run.isDone()).map(SplitRun::toSplit).toList();
    }

    @Override
    public void close() {}
}
