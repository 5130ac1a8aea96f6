package io.chunkroll.faults.harness;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** All rounds as Markdown: a table for each guarantee with a line for each kind of fault, then what was not as promised. */
final class FaultTable {
    private final List<RoundResult> rounds;

    FaultTable(List<RoundResult> rounds) {
        this.rounds = rounds;
    }

    String toMarkdown() {
        StringBuilder text = new StringBuilder();
        for (Guarantee guarantee : Guarantee.values()) {
            List<RoundResult> of = rounds.stream()
                    .filter(round -> round.plan().guarantee() == guarantee)
                    .toList();
            if (!of.isEmpty()) {
                table(text, guarantee, of);
            }
        }
        rounds.stream().filter(round -> !round.complaints().isEmpty()).forEach(round -> {
            text.append("Round ")
                    .append(round.number())
                    .append(" (")
                    .append(round.plan())
                    .append("), after ");
            text.append(round.strikes().stream()
                    .map(strike -> strike.kind().title())
                    .toList());
            text.append(":\n");
            round.complaints()
                    .forEach(complaint -> text.append("- ").append(complaint).append('\n'));
            text.append('\n');
        });
        return text.toString();
    }

    private static void table(StringBuilder text, Guarantee guarantee, List<RoundResult> rounds) {
        text.append("**")
                .append(guarantee.key())
                .append("**, ")
                .append(rounds.size())
                .append(" loads\n\n");
        text.append("| fault | times | lost | doubled | longest standstill |\n|---|---|---|---|---|\n");
        for (FaultKind kind : FaultKind.values()) {
            List<Strike> strikes =
                    strikes(rounds).filter(strike -> strike.kind() == kind).toList();
            List<RoundResult> met = rounds.stream()
                    .filter(round -> round.strikes().stream().anyMatch(strike -> strike.kind() == kind))
                    .toList();
            if (strikes.isEmpty()) {
                text.append("| ").append(kind.title()).append(" | 0 | | | |\n");
            } else {
                line(text, kind.title(), strikes, lost(met), doubled(strikes));
            }
        }
        // Those too that came again only after a load's last fault was over.
        line(text, "all", strikes(rounds).toList(), lost(rounds), sum(rounds, Verdict::doubled));
        text.append('\n');
        text.append("Rejects: ").append(sum(rounds, Verdict::rejectsLost)).append(" lost, ");
        text.append(sum(rounds, Verdict::rejectsDoubled)).append(" doubled. Left behind: ");
        text.append(sum(rounds, verdict -> verdict.leftovers().size())).append(". Loads that did not end: ");
        text.append(rounds.stream().filter(round -> round.verdict().isEmpty()).count())
                .append(".\n\n");
    }

    private static Stream<Strike> strikes(List<RoundResult> rounds) {
        return rounds.stream().flatMap(round -> round.strikes().stream());
    }

    private static void line(StringBuilder text, String title, List<Strike> strikes, long lost, long doubled) {
        Duration longest = strikes.stream()
                .map(Strike::standstill)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        text.append(String.format(
                Locale.ROOT,
                "| %s | %d | %d | %d | %.1f s |%n",
                title,
                strikes.size(),
                lost,
                doubled,
                longest.toMillis() / 1e3));
    }

    private static long doubled(List<Strike> strikes) {
        return strikes.stream().mapToLong(Strike::doubled).sum();
    }

    /** Rows are missed at the end of a load only: which of its faults took them, the round's list has to tell. */
    private static long lost(List<RoundResult> rounds) {
        return sum(rounds, Verdict::lost);
    }

    private static long sum(List<RoundResult> rounds, ToLongFunction<Verdict> figure) {
        return rounds.stream()
                .map(RoundResult::verdict)
                .flatMap(Optional::stream)
                .mapToLong(figure)
                .sum();
    }
}
