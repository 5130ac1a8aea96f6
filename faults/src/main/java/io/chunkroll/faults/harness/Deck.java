package io.chunkroll.faults.harness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/** The kinds of faults like a deck of cards: in random order, but none comes a second time before all have come once. */
final class Deck {
    private final List<FaultKind> kinds;
    private final Random random;
    private final List<FaultKind> left = new ArrayList<>();

    Deck(List<FaultKind> kinds, Random random) {
        this.kinds = kinds;
        this.random = random;
    }

    /** The next that is suited. */
    FaultKind draw(Predicate<FaultKind> suited) {
        if (left.stream().noneMatch(suited)) {
            List<FaultKind> fresh = new ArrayList<>(kinds);
            Collections.shuffle(fresh, random);
            left.addAll(fresh);
        }
        FaultKind drawn = left.stream().filter(suited).findFirst().orElseThrow();
        left.remove(drawn);
        return drawn;
    }
}
