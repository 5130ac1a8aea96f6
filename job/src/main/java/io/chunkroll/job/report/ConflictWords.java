package io.chunkroll.job.report;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What became of a run's rows whose key was in the table already. */
public final class ConflictWords {
    private ConflictWords() {}

    /** {@code 900 inserted, 100 skipped}; empty where all rows were new, or where nobody counted. */
    public static Optional<String> of(RunSummary run) {
        String words = Stream.of("inserted", "skipped", "replaced")
                .flatMap(fate -> count(run, fate).stream())
                .collect(Collectors.joining(", "));
        return run.whole("rows_inserted").isPresent() ? Optional.of(words) : Optional.empty();
    }

    private static Optional<String> count(RunSummary run, String fate) {
        OptionalLong rows = run.whole("rows_" + fate);
        return rows.orElse(0) == 0 && !fate.equals("inserted")
                ? Optional.empty()
                : Optional.of(Figures.count(rows.orElse(0)) + ' ' + fate);
    }
}
