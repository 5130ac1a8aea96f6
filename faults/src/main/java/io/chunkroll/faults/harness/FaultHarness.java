package io.chunkroll.faults.harness;

import io.chunkroll.faults.harness.FaultKind.Needs;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Loads under faults, one after the other, till there were enough faults for each guarantee. */
public final class FaultHarness {
    private final Path lib;
    private final Path jar;
    private final Consumer<String> say;

    /**
     * @param lib the folder with Flink's jars
     * @param jar the job jar
     * @param say hears what happens as it happens
     */
    public FaultHarness(Path lib, Path jar, Consumer<String> say) {
        this.lib = lib;
        this.jar = jar;
        this.say = say;
    }

    /**
     * What was found.
     *
     * @param markdown the table of faults
     * @param complaints what was promised and not kept; empty when all is well
     */
    public record Outcome(String markdown, List<String> complaints) {}

    /** Runs so many faults for each of the guarantees; the seed decides which, in which order and after which pauses. */
    public Outcome run(int faults, List<Guarantee> guarantees, long seed) throws IOException, SQLException {
        long begin = System.nanoTime();
        say.accept("Seed " + seed + ", " + faults + " faults for each of " + guarantees);
        List<RoundResult> results = new ArrayList<>();
        try (Rig rig = Rig.set(lib, jar)) {
            Random random = new Random(seed);
            List<FaultKind> possible = possible(rig);
            for (Guarantee guarantee : guarantees) {
                results.addAll(rounds(rig, guarantee, faults, new Deck(possible, random), random));
            }
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        String markdown = new FaultTable(results).toMarkdown() + "Seed " + seed + ", " + took.toSeconds() + " s.\n";
        List<String> complaints = results.stream()
                .flatMap(round -> round.complaints().stream()
                        .map(complaint -> "round " + round.number() + ", " + round.plan() + ": " + complaint))
                .toList();
        return new Outcome(markdown, complaints);
    }

    private List<FaultKind> possible(Rig rig) {
        List<FaultKind> possible = Arrays.stream(FaultKind.values())
                .filter(kind -> rig.disks().isPresent() || !kind.needs(Needs.SMALL_DISKS))
                .toList();
        for (FaultKind kind : FaultKind.values()) {
            if (!possible.contains(kind)) {
                say.accept("LEFT OUT, for this machine lets us mount no disk (that wants root): " + kind.title());
            }
        }
        return possible;
    }

    private List<RoundResult> rounds(Rig rig, Guarantee guarantee, int faults, Deck deck, Random random)
            throws IOException, SQLException {
        List<RoundResult> results = new ArrayList<>();
        for (int done = 0; done < faults; ) {
            int number = results.size() + 1;
            Path runFolder = rig.folder().resolve(guarantee.key() + "-" + number);
            LoadPlan plan = LoadPlan.ofRound(number - 1, guarantee, runFolder);
            RoundResult result = new Round(rig, number, plan, deck, random, say).run(faults - done);
            results.add(result);
            done += Math.max(1, result.strikes().size());
        }
        return results;
    }
}
