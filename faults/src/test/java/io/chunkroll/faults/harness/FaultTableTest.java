package io.chunkroll.faults.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FaultTableTest {
    @Test
    void aLineForEachKindAndTheFailuresBelow() {
        LoadPlan plan = LoadPlan.ofRound(0, Guarantee.EXACTLY_ONCE, Path.of("run"));
        RoundResult good = new RoundResult(
                1,
                plan,
                List.of(
                        new Strike(FaultKind.SERVER_KILLED, 0, Duration.ofMillis(3_240)),
                        new Strike(FaultKind.SERVER_KILLED, 0, Duration.ofMillis(5_760))),
                Optional.of(new Verdict(10, 0, 0, 0, 0, 0, List.of())),
                List.of());
        RoundResult bad = new RoundResult(
                2,
                plan,
                List.of(new Strike(FaultKind.RESCALED, 4, Duration.ofSeconds(2))),
                Optional.of(new Verdict(11, 3, 4, 0, 0, 0, List.of("x (file)"))),
                List.of("3 rows lost", "4 rows doubled", "left: x (file)"));
        String markdown = new FaultTable(List.of(good, bad)).toMarkdown();
        assertThat(markdown)
                .contains("**exactly-once**, 2 loads\n")
                .doesNotContain("at-least-once")
                .contains("| server killed, started again | 2 | 0 | 0 | 5.8 s |\n")
                .contains("| rescaled from a savepoint | 1 | 3 | 4 | 2.0 s |\n")
                .contains("| server frozen for 20 s | 0 | | | |\n")
                .contains("| all | 3 | 3 | 4 | 5.8 s |\n")
                .contains("Left behind: 1.")
                .contains("""
                        Round 2 (exactly-once, plain, generated, retry for 1 s), after [rescaled from a savepoint]:
                        - 3 rows lost
                        - 4 rows doubled
                        - left: x (file)
                        """);
    }
}
