package io.chunkroll.job.terminal;

/** A curve of a few characters, from nothing at the foot to the largest value at the top. */
final class Sparkline {
    private static final String BLOCKS = "▁▂▃▄▅▆▇█";
    private static final char NOTHING = ' ';

    private Sparkline() {}

    /**
     * Draws values.
     *
     * @param values in their order; neighbours share a character where there are too many, and what is no finite number is left out
     * @param width the most characters
     */
    static String of(double[] values, int width) {
        int length = Math.max(0, Math.min(width, values.length));
        double[] means = new double[length];
        double most = 0;
        for (int i = 0; i < length; i++) {
            means[i] = mean(values, i * values.length / length, (i + 1) * values.length / length);
            most = Math.max(most, Double.isNaN(means[i]) ? 0 : means[i]);
        }
        StringBuilder line = new StringBuilder();
        for (double mean : means) {
            line.append(Double.isNaN(mean) ? NOTHING : block(mean, most));
        }
        return line.toString();
    }

    private static char block(double value, double most) {
        int highest = BLOCKS.length() - 1;
        return BLOCKS.charAt(most > 0 ? (int) Math.round(Math.max(0, value) / most * highest) : 0);
    }

    /** NaN where there is no finite number. */
    private static double mean(double[] values, int from, int to) {
        double sum = 0;
        int count = 0;
        for (int i = from; i < to; i++) {
            if (Double.isFinite(values[i])) {
                sum += values[i];
                count++;
            }
        }
        return count == 0 ? Double.NaN : sum / count;
    }
}
