package io.chunkroll.job.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as people read them. */
final class Figures {
    private static final String[] BYTE_UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    private static final int SIGNIFICANT = 3;

    private Figures() {}

    /** 12,000,000. */
    static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** 122,000 rows/s. */
    static String rate(double rowsPerSecond) {
        return bareRate(rowsPerSecond) + " rows/s";
    }

    /** To three digits, as no run repeats more of them: 122,000. */
    static String bareRate(double rowsPerSecond) {
        if (rowsPerSecond < 100) {
            return String.format(Locale.ROOT, "%.1f", rowsPerSecond);
        }
        MathContext digits = new MathContext(SIGNIFICANT, RoundingMode.HALF_UP);
        return count(new BigDecimal(rowsPerSecond).round(digits).longValue());
    }

    /** The same, of a change: −1,250. */
    static String signedRate(double rowsPerSecond) {
        return (rowsPerSecond < 0 ? "\u2212" : "") + bareRate(Math.abs(rowsPerSecond));
    }

    /** 34%. */
    static String percent(double share) {
        return Math.round(100 * share) + "%";
    }

    /** 1.52. */
    static String times(double factor) {
        return String.format(Locale.ROOT, "%.2f", factor);
    }

    /** 1.4 GiB. */
    static String bytes(double bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < BYTE_UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return short3(value) + " " + BYTE_UNITS[unit];
    }

    /** 41 ms, 1.5 s. */
    static String millis(double millis) {
        return millis < 1000 ? short3(millis) + " ms" : short3(millis / 1000) + " s";
    }

    /** 8.3 s, 96 s, 4 min 12 s, 1 h 10 min. */
    static String seconds(double seconds) {
        if (seconds < 120) {
            return short3(seconds) + " s";
        }
        long whole = Math.round(seconds);
        return whole < 7200
                ? whole / 60 + " min " + whole % 60 + " s"
                : whole / 3600 + " h " + whole % 3600 / 60 + " min";
    }

    private static String short3(double value) {
        boolean exact = value == Math.rint(value) || value >= 100;
        return exact ? count(Math.round(value)) : String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
    }
}
