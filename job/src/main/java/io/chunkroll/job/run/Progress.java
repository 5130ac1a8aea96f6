package io.chunkroll.job.run;

import io.chunkroll.job.report.TimelinePoint;
import io.chunkroll.job.terminal.ProgressBar;
import io.chunkroll.job.terminal.Terminal;
import java.io.PrintStream;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Says how far a run is: on a terminal by a bar that is drawn with every look, elsewhere by a line every few seconds. */
final class Progress {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final double SECONDS_A_LINE = 5;
    /** How many looks back the bar's curve goes: the last minutes. */
    private static final int MOST_RATES = 180;
    /** Looks over which the bar's rate is taken, lest it tremble. */
    private static final int STEADY = 3;

    private final PrintStream out;
    private final Optional<Terminal> terminal;
    private final Deque<Double> rates = new ArrayDeque<>();
    private final OptionalLong expectedRows;
    private final String name;
    private double nextLine;
    private double lastElapsed;
    private long lastRows;
    private double worstFlush;

    Progress(PrintStream out, String name, OptionalLong expectedRows) {
        this.out = out;
        terminal = Terminal.of(out);
        this.name = name;
        this.expectedRows = expectedRows;
    }

    /** Takes note of a look, and draws the bar, or prints a line when it is time for one; at the end a line stays in any case. */
    void saw(Sampler.Look look, boolean last) {
        TimelinePoint point = look.point();
        if (terminal.isPresent() && !last) {
            terminal.get().show(state(look));
            return;
        }
        terminal.ifPresent(Terminal::clear);
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

    private ProgressBar.State state(Sampler.Look look) {
        TimelinePoint point = look.point();
        rates.addLast(point.rowsPerSecond());
        if (rates.size() > MOST_RATES) {
            rates.removeFirst();
        }
        double[] all = rates.stream().mapToDouble(Double::doubleValue).toArray();
        long done = point.rows() + look.filtered();
        OptionalDouble share = expectedRows.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) done / Math.max(1, expectedRows.getAsLong()));
        OptionalDouble left = expectedRows.isEmpty() || done == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.max(0, expectedRows.getAsLong() - done) * point.elapsedSeconds() / done);
        double now = Arrays.stream(all)
                .skip(Math.max(0, all.length - STEADY))
                .average()
                .orElse(Double.NaN);
        return new ProgressBar.State(name, point.elapsedSeconds(), point.rows(), now, share, left, all);
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
