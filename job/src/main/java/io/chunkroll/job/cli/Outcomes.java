package io.chunkroll.job.cli;

import io.chunkroll.job.report.ConflictWords;
import io.chunkroll.job.report.RunFolder;
import io.chunkroll.job.report.RunSummary;
import io.chunkroll.job.run.RunResult;
import java.io.PrintStream;
import java.util.Locale;

/** Says how a run ended. */
final class Outcomes {
    private static final String UNKNOWN = "?";

    private Outcomes() {}

    private static String whole(RunSummary summary, String field) {
        return summary.whole(field).isPresent()
                ? String.format(Locale.ROOT, "%,d", summary.whole(field).getAsLong())
                : UNKNOWN;
    }

    private static String decimal(String format, RunSummary summary, String field) {
        return summary.decimal(field).isPresent()
                ? String.format(Locale.ROOT, format, summary.decimal(field).getAsDouble())
                : UNKNOWN;
    }

    static void say(RunResult result, PrintStream out) {
        RunSummary summary = RunFolder.read(result.folder()).summary();
        out.printf(
                Locale.ROOT,
                "%s: %s rows read, %s written%s%s, %s rejected; in the table: %s; %s s, %s rows/s%n",
                switch (result.outcome()) {
                    case FINISHED -> "Finished";
                    case FAILED -> "Failed";
                    case REJECTED_SOME -> "Finished, some rows rejected";
                    case STOPPED -> "Stopped";
                },
                whole(summary, "rows_read"),
                whole(summary, "rows_written"),
                ConflictWords.of(summary).map(words -> " (" + words + ")").orElse(""),
                summary.whole("rows_filtered").orElse(0) > 0
                        ? String.format(
                                Locale.ROOT,
                                ", %,d filtered",
                                summary.whole("rows_filtered").getAsLong())
                        : "",
                whole(summary, "rows_rejected"),
                summary.whole("rows_in_table").isPresent()
                        ? String.format(
                                Locale.ROOT,
                                "%,d more than before",
                                summary.whole("rows_in_table").getAsLong())
                        : "not counted",
                decimal("%.1f", summary, "seconds"),
                decimal("%,.0f", summary, "rows_per_second"));
        if (summary.decimal("index_seconds").isPresent()) {
            out.printf(
                    Locale.ROOT,
                    "Indexes were ready %.1f s after the rows: %.1f s in all, %,.0f rows/s until then%s%n",
                    summary.decimal("index_seconds").getAsDouble(),
                    summary.decimal("ready_seconds").orElse(0),
                    summary.decimal("rows_per_second_until_ready").orElse(0),
                    summary.whole("rows_loaded_live").orElse(0) > 0
                            ? String.format(
                                    Locale.ROOT,
                                    "; %,d rows went into partitions that were there already, with indexes in place",
                                    summary.whole("rows_loaded_live").getAsLong())
                            : "");
        }
        result.failure().ifPresent(failure -> {
            out.println(failure);
            Logs.file().ifPresent(file -> out.println("More in " + file));
        });
        if (result.rejects().rows() > 0) {
            out.println("Rejected rows: " + result.rejects().folder());
        }
    }
}
