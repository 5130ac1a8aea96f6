package io.chunkroll.faults.harness;

import io.chunkroll.faults.harness.FaultKind.Needs;
import io.chunkroll.job.cluster.ClusterException;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/** One load from its first row to its last, and the faults that befall it. */
final class Round {
    /** From here on the job is left alone till its last rows, so that none of the faults that want it running finds it done. */
    private static final long MIDDLE = Reference.ROWS * 8L / 10;
    /** About where the input ends. */
    private static final long END = Reference.ROWS - Reference.ROWS_PER_SECOND;

    private final Rig rig;
    private final int number;
    private final LoadPlan plan;
    private final Deck deck;
    private final Random random;
    private final Consumer<String> say;
    private final Verifier verifier;
    private final List<Strike> strikes = new ArrayList<>();
    private long doubled;
    private String moment = "before the first fault";

    Round(Rig rig, int number, LoadPlan plan, Deck deck, Random random, Consumer<String> say) {
        this.rig = rig;
        this.number = number;
        this.plan = plan;
        this.deck = deck;
        this.random = random;
        this.say = say;
        verifier = new Verifier(rig.server(), rig.reference().badRows());
    }

    /** Loads, with at most so many faults on the way. */
    RoundResult run(int most) throws SQLException, IOException {
        say.accept("Round " + number + ": " + plan);
        rig.proxy().throttle(plan.csv() ? (long) Reference.ROWS_PER_SECOND * Reference.BYTES_PER_ROW : 0);
        RunningLoad load = new RunningLoad(rig, plan);
        rig.dropTable();
        try (CommitWatch watch = new CommitWatch(rig.server())) {
            load.submit();
            load.awaitCommitting(watch);
            while (strikes.size() < most && watch.rows() - doubled < MIDDLE && !load.isOver()) {
                Faults.pause(Faults.between(random, 0, 1_500));
                strike(deck.draw(kind -> true), load, watch);
            }
            if (strikes.size() < most) {
                load.awaitRows(END + doubled, watch);
            }
            if (strikes.size() < most && !load.isOver()) {
                strike(deck.draw(kind -> !kind.needs(Needs.A_RUNNING_JOB)), load, watch);
            }
            load.awaitEnd();
            rig.mend();
            return judged(verifier.verify(plan));
        } catch (RoundException | ClusterException | SQLException e) {
            say.accept(rig.cluster().lastWords());
            load.abandon();
            rig.sweep();
            return result(
                    Optional.empty(), List.of("the load did not come to its end, " + moment + ": " + e.getMessage()));
        }
    }

    private void strike(FaultKind kind, RunningLoad load, CommitWatch watch) throws SQLException {
        say.accept(String.format(Locale.ROOT, "  at %,d rows: %s", watch.rows(), kind.title()));
        moment = "after " + kind.title();
        watch.mark();
        Faults.strike(kind, rig, load, random);
        load.awaitCommitting(watch);
        Duration standstill = watch.longest();
        long now = verifier.doubled();
        strikes.add(new Strike(kind, now - doubled, standstill));
        say.accept(String.format(
                Locale.ROOT,
                "    stood still for %.1f s, %d rows doubled",
                standstill.toMillis() / 1e3,
                now - doubled));
        doubled = now;
    }

    private RoundResult judged(Verdict verdict) {
        List<String> complaints = verdict.faults(plan.guarantee());
        say.accept(String.format(
                Locale.ROOT,
                "  %,d rows: %d lost, %d doubled, %d strange; rejects: %d lost, %d doubled; %s",
                verdict.rows(),
                verdict.lost(),
                verdict.doubled(),
                verdict.strange(),
                verdict.rejectsLost(),
                verdict.rejectsDoubled(),
                complaints.isEmpty() ? "as promised" : "NOT AS PROMISED: " + complaints));
        return result(Optional.of(verdict), complaints);
    }

    private RoundResult result(Optional<Verdict> verdict, List<String> complaints) {
        return new RoundResult(number, plan, List.copyOf(strikes), verdict, complaints);
    }
}
