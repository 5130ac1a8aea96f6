package io.chunkroll.job.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * One line that says how far a load is, as wide as the terminal lets it be. What finds no room is left out: first the name, then the
 * curve, the time, the bar; the rate goes last.
 */
public final class ProgressBar {
    private static final int MOST_BAR = 30;
    private static final int LEAST_BAR = 6;
    private static final int MOST_CURVE = 40;
    private static final int LEAST_CURVE = 4;
    private static final int MOST_NAME = 24;
    private static final String GAP = "  ";
    private static final String COLOUR = "\u001b[36m";
    private static final String NO_COLOUR = "\u001b[0m";

    private ProgressBar() {}

    /**
     * How a load goes on.
     *
     * @param name what it is called
     * @param seconds since its first row
     * @param rows committed
     * @param rowsPerSecond now; not a finite number where it is not known
     * @param share of the load that is done, 0 to 1; empty where its end is not known
     * @param secondsLeft until its end; empty where that cannot be told
     * @param rates of the last minutes, the oldest first
     */
    public record State(
            String name,
            double seconds,
            long rows,
            double rowsPerSecond,
            OptionalDouble share,
            OptionalDouble secondsLeft,
            double[] rates) {}

    /**
     * What a terminal can show.
     *
     * @param width in characters, all of which may be used
     * @param blocks whether it has block characters; without them there is no curve
     */
    public record Style(int width, boolean blocks, boolean colours) {}

    /** The line, of at most as many characters as the terminal is wide, colours not counted. */
    public static String line(State state, Style style) {
        String rate = rate(state.rowsPerSecond());
        String percent = state.share().isPresent() ? percent(state.share().getAsDouble()) : "";
        String rows = String.format(Locale.ROOT, "%,d rows", state.rows());
        String time = time(state);
        int left = style.width() - rate.length();
        boolean hasPercent = !percent.isEmpty() && left >= percent.length() + GAP.length();
        left -= hasPercent ? percent.length() + GAP.length() : 0;
        boolean hasRows = left >= rows.length() + GAP.length();
        left -= hasRows ? rows.length() + GAP.length() : 0;
        int bar = hasPercent ? room(left, LEAST_BAR, MOST_BAR / 2) : 0;
        left -= bar == 0 ? 0 : bar + 1;
        boolean hasTime = left >= time.length() + GAP.length();
        left -= hasTime ? time.length() + GAP.length() : 0;
        int curve = style.blocks() && state.rates().length > 1 ? room(left, LEAST_CURVE, MOST_CURVE) : 0;
        curve = Math.min(curve, state.rates().length);
        left -= curve == 0 ? 0 : curve + GAP.length();
        String name = shortened(state.name());
        boolean hasName = left >= name.length() + GAP.length();
        left -= hasName ? name.length() + GAP.length() : 0;
        bar += bar == 0 ? 0 : Math.min(Math.max(0, left), MOST_BAR - bar);

        List<String> parts = new ArrayList<>();
        add(parts, hasName, name);
        add(parts, bar > 0, colour(bar(state.share().orElse(0), bar, style.blocks()), style) + " " + percent);
        add(parts, hasPercent && bar == 0, percent);
        add(parts, hasRows, rows);
        add(parts, true, rate.substring(0, Math.min(rate.length(), Math.max(0, style.width()))));
        add(parts, curve > 0, colour(Sparkline.of(state.rates(), curve), style));
        add(parts, hasTime, time);
        return String.join(GAP, parts);
    }

    private static void add(List<String> parts, boolean wanted, String part) {
        if (wanted) {
            parts.add(part);
        }
    }

    /** As much of what is left as it may have; 0 where that is less than it needs. */
    private static int room(int left, int least, int most) {
        int room = Math.min(most, left - GAP.length());
        return room >= least ? room : 0;
    }

    private static String colour(String text, Style style) {
        return style.colours() ? COLOUR + text + NO_COLOUR : text;
    }

    private static String bar(double share, int width, boolean blocks) {
        int full = (int) Math.floor(bounded(share) * width);
        return (blocks ? "█" : "#").repeat(full) + (blocks ? "░" : ".").repeat(width - full);
    }

    private static double bounded(double share) {
        return Double.isNaN(share) ? 0 : Math.max(0, Math.min(1, share));
    }

    /** 100 % is said of nothing but the end. */
    private static String percent(double share) {
        return String.format(Locale.ROOT, "%3.0f %%", Math.floor(100 * bounded(share)));
    }

    private static String rate(double rowsPerSecond) {
        return Double.isFinite(rowsPerSecond)
                ? String.format(Locale.ROOT, "%,.0f rows/s", Math.max(0, rowsPerSecond))
                : "– rows/s";
    }

    private static String time(State state) {
        String since = clock(state.seconds());
        return state.secondsLeft().isPresent()
                        && Double.isFinite(state.secondsLeft().getAsDouble())
                ? since + ", " + clock(state.secondsLeft().getAsDouble()) + " left"
                : since;
    }

    /** 0:07, 12:30, 1:02:03. */
    static String clock(double seconds) {
        long whole = Double.isFinite(seconds) ? Math.round(Math.max(0, seconds)) : 0;
        return whole < 3600
                ? String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    }

    private static String shortened(String name) {
        return name.length() <= MOST_NAME ? name : name.substring(0, MOST_NAME - 1) + "…";
    }
}
