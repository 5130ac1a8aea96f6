package io.chunkroll.job.run;

import io.chunkroll.job.report.TimelinePoint;
import java.io.PrintStream;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Lines on the terminal that say how far a run is. */
final class Progress {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final double SECONDS_A_LINE = 5;

    private final PrintStream out;
    private final OptionalLong expectedRows;
    private final String name;
    private double nextLine;
    private double lastElapsed;
    private long lastRows;
    private double worstFlush;

    Progress(PrintStream out, String name, OptionalLong expectedRows) {
        this.out = out;
        this.name = name;
        this.expectedRows = expectedRows;
    }

    /** Takes note of a look, and prints a line when it is time for one. */
    void saw(Sampler.Look look, boolean last) {
        TimelinePoint point = look.point();
        worstFlush = Math.max(worstFlush, point.flushP99Millis().orElse(0));
        if (point.elapsedSeconds() < nextLine && !last) {
            return;
        }
        double period = (point.rows() - lastRows) / Math.max(1e-3, point.elapsedSeconds() - lastElapsed);
        double overall = point.rows() / Math.max(1e-3, point.elapsedSeconds());
        out.printf(
                Locale.ROOT,
                "%s  %s  %7.1f s  %,13d rows  %,9.0f rows/s (period)  %,9.0f rows/s (overall)%s%s%s%s%s%s%s%n",
                LocalTime.now(ZoneId.systemDefault()).format(CLOCK),
                name,
                point.elapsedSeconds(),
                point.rows(),
                period,
                overall,
                flush(point.flushP50Millis()),
                point.chunks().isPresent()
                        ? String.format(
                                Locale.ROOT, "  %d chunks", point.chunks().getAsLong())
                        : "",
                unlessNone(look.skipped(), "skipped"),
                unlessNone(look.replaced(), "replaced"),
                unlessNone(look.filtered(), "filtered"),
                unlessNone(look.rejects(), "rejected"),
                share(point.rows(), look.filtered(), point.elapsedSeconds()));
        out.flush();
        lastElapsed = point.elapsedSeconds();
        lastRows = point.rows();
        nextLine = point.elapsedSeconds() + SECONDS_A_LINE - 0.5;
        worstFlush = 0;
    }

    private static String unlessNone(long rows, String fate) {
        return rows > 0 ? String.format(Locale.ROOT, "  %,d %s", rows, fate) : "";
    }

    private String flush(OptionalDouble median) {
        return median.isEmpty() && worstFlush == 0
                ? ""
                : String.format(Locale.ROOT, "  flush %.0f ms (p99 %.0f)", median.orElse(worstFlush), worstFlush);
    }

    private String share(long written, long filtered, double seconds) {
        if (expectedRows.isEmpty()) {
            return "";
        }
        long rows = written + filtered;
        double rate = rows / Math.max(1e-3, seconds);
        long left = Math.max(0, expectedRows.getAsLong() - rows);
        double percent = 100.0 * rows / Math.max(1, expectedRows.getAsLong());
        return rate > 0 && left > 0
                ? String.format(Locale.ROOT, "  %.0f %%, %.0f s left", percent, left / rate)
                : String.format(Locale.ROOT, "  %.0f %%", percent);
    }
}
